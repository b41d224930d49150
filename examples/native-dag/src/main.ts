import { serve } from "@parlance/sdk-node";
import { pipeline } from "./pipeline.ts";
import { report } from "./report.ts";

serve([pipeline, report]);
