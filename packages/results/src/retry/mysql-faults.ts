import { DatabaseFault, FAULTS, type FaultFacts, linkFault, messageOf } from "./database-fault.ts";

/** Error numbers of MySQL and MariaDB (their "Server Error Message Reference"). */
const BY_NUMBER = new Map<number, FaultFacts>([
  ...entries(FAULTS.unique, [1062, 1586]),
  ...entries(FAULTS.data, [1048, 1264, 1265, 1292, 1366, 1406, 1690, 3140, 3854]),
  ...entries(FAULTS.tooLarge, [1153, 1301]),
  ...entries(FAULTS.busy, [1020, 1205, 1206, 1213, 1317, 1614, 1615, 1969, 3024, 3572]),
  ...entries(FAULTS.schema, [1050, 1054, 1060, 1061, 1146, 1364, 4091]),
  ...entries(FAULTS.login, [1044, 1045, 1049, 1130, 1251, 1524, 1698, 1820, 1862, 3118, 3159]),
  ...entries(FAULTS.privilege, [1142, 1143, 1227, 1370, 1419]),
  ...entries(FAULTS.readOnly, [1290, 1792, 1836]),
  ...entries(
    FAULTS.connection,
    [
      1040, 1047, 1053, 1077, 1078, 1079, 1080, 1081, 1129, 1152, 1156, 1157, 1158, 1159, 1160,
      1161,
    ],
  ),
  ...entries(FAULTS.connection, [1184, 1203, 1226, 1927, 2006, 2013, 2055, 3168, 3169, 4031]),
  ...entries(FAULTS.programming, [1064, 1149, 1210]),
]);

function entries(facts: FaultFacts, numbers: readonly number[]): [number, FaultFacts][] {
  return numbers.map((number) => [number, facts]);
}

/** An error of `mysql2` in the words of {@link DatabaseFault}. Its `sql` is never read. */
export function mysqlFault(error: unknown, redact: (text: string) => string): DatabaseFault {
  if (error instanceof DatabaseFault) return error;
  const { code, errno, fatal } = (error ?? {}) as {
    code?: unknown;
    errno?: unknown;
    fatal?: unknown;
  };
  const number = typeof errno === "number" && errno >= 1000 ? errno : undefined;
  const known = number === undefined ? linkFault(error) : BY_NUMBER.get(number);
  const facts = known ?? { ...FAULTS.operational, fatal: fatal === true };
  const text = messageOf(error);
  // `Duplicate entry '…' for key`, `Incorrect string value: '…' for column` quote the value.
  const message =
    facts.kind === "data" || facts.kind === "unique" ? text.replace(/'.*'(?= for )/s, "'…'") : text;
  const driverCode = typeof code === "string" ? code : number?.toString();
  return new DatabaseFault(redact(message), facts, driverCode);
}
