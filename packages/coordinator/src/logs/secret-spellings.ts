/** What Airflow never takes for a secret: its own name, the password of so many test set-ups. */
const NO_SECRETS = new Set(["airflow"]);

/**
 * The texts by which a secret may show up in a log: itself; each of its lines, since printed lines
 * are records of their own; and how it is written inside JSON, inside JSON that is a text of JSON, as
 * Python's `repr` and inside a URL. Airflow masks the first only.
 *
 * @param minLength shorter texts are left out, in characters
 */
export function spellingsOf(secret: string, minLength: number): string[] {
  const plain = [secret, ...secret.split(/[\r\n]+/)];
  const spellings = new Set(
    plain.flatMap((text) => {
      const json = [inJson(text), inAsciiJson(text)];
      return [text, ...json, ...json.map(inJson), ...inRepr(text), ...inUrl(text)];
    }),
  );
  return [...spellings].filter(
    (text) => isLong(text, minLength) && !NO_SECRETS.has(text.toLowerCase()),
  );
}

/** A character may be two units of a text. */
function isLong(text: string, minLength: number): boolean {
  return text.length >= 2 * minLength || [...text].length >= minLength;
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As Python's `json.dumps` writes it. */
function inAsciiJson(text: string): string {
  return inJson(text).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Between quotes of either kind. */
function inRepr(text: string): string[] {
  const doubled = inJson(text).replaceAll('\\"', '"');
  return [doubled, doubled.replaceAll("'", "\\'")];
}

function inUrl(text: string): string[] {
  try {
    const encoded = encodeURIComponent(text);
    // Most other languages also escape these; in a form, a space is a plus sign.
    const strict = encoded.replace(
      /[!'()*]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    return [encoded, strict, strict.replaceAll("%20", "+")];
  } catch {
    return []; // half a character: no URL can hold it
  }
}
