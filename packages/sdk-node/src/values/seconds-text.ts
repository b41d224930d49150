const MICROSECONDS = 1_000_000n;

/**
 * Seconds as the float that is nearest to a whole number of microseconds, as Python divides: by way
 * of the decimal text, since dividing a rounded number would round twice.
 */
export function toFloatSeconds(microseconds: bigint): number {
  const sign = microseconds < 0n ? "-" : "";
  const size = microseconds < 0n ? -microseconds : microseconds;
  const fraction = String(size % MICROSECONDS).padStart(6, "0");
  return Number(`${sign}${size / MICROSECONDS}.${fraction}`);
}

/** The microseconds nearest to seconds as a float; halves go to the even one, as in Python. */
export function fromFloatSeconds(seconds: number): bigint {
  const whole = Math.trunc(seconds);
  return BigInt(whole) * MICROSECONDS + BigInt(roundHalfEven((seconds - whole) * 1e6));
}

function roundHalfEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  if (rest !== 0.5) return rest < 0.5 ? low : low + 1;
  return low % 2 === 0 ? low : low + 1;
}
