import { useEffect, useState } from "preact/hooks";

/** The time, renewed while `isMoving`: for durations that are not over and waits that run down. */
export function useNow(isMoving: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isMoving) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [isMoving, everyMs]);
  return isMoving ? now : Date.now();
}
