import { fingerprint, isSameSecret, newSecret } from "./secrets.ts";

/** More browsers of one person than this are unlikely; the oldest session ends. */
const MAX_SESSIONS = 16;

/** Sessions of browsers. They last as long as the server. */
export class Sessions {
  readonly #prints: Buffer[] = [];
  readonly #cookie: string;

  /** @param port - a part of the cookie's name: browsers send cookies of one host to all of its ports */
  constructor(port: number) {
    this.#cookie = `parlance_dev_${port}`;
  }

  /** A new session, as the value of `Set-Cookie`. */
  open(): string {
    const id = newSecret();
    this.#prints.push(fingerprint(id));
    if (this.#prints.length > MAX_SESSIONS) this.#prints.shift();
    return `${this.#cookie}=${id}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Whether the header `Cookie` names a session. */
  isOpen(header: string | undefined): boolean {
    return cookiesNamed(this.#cookie, header ?? "").some((id) => this.#has(id));
  }

  /** Looks at all of them, so that the time tells nothing. */
  #has(id: string): boolean {
    let found = false;
    for (const print of this.#prints) if (isSameSecret(print, id)) found = true;
    return found;
  }
}

/** Another server on this host may have set one of the same name: each counts. At most 8 are read. */
function cookiesNamed(name: string, header: string): string[] {
  const found: string[] = [];
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === name) found.push(part.slice(at + 1).trim());
  }
  return found.slice(0, 8);
}
