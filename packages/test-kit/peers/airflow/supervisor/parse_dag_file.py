"""3.4: let the Dag processor's own class parse one native Dag file (no API client)."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import structlog
from airflow.dag_processing import lang_sdk_processor
from airflow.sdk.log import logging_processors

from .airflow_environment import DAG_BUNDLE
from .run_case import describe, read_json_lines

RECORDED_MODULE = lang_sdk_processor


def parse_dag_file(root: str, file: str, log_path: Path) -> dict[str, Any]:
    """``result`` is the DagFileParsingResult, with every Dag's serialized data in the open."""
    started, problem, result = time.perf_counter(), None, None
    with open(log_path, "wb", buffering=0) as stream:
        processors = logging_processors(json_output=True)
        logger = structlog.wrap_logger(structlog.BytesLogger(stream), processors=processors, logger_name="processor").bind()
        try:
            result = lang_sdk_processor.LangSDKDagFileProcessorProcess.run(
                path=os.path.join(root, file),
                bundle_path=Path(root),
                bundle_name=DAG_BUNDLE,
                dag_file_rel_path=file,
                logger=logger,
            )
        except BaseException as error:
            problem = describe(error)
    dump = None
    if result is not None:
        dump = result.model_dump(mode="json", exclude={"serialized_dags"})
        dump["serialized_dags"] = [dag.data for dag in result.serialized_dags]
    return {
        "file": file,
        "result": dump,
        "wallMs": round((time.perf_counter() - started) * 1000, 1),
        "supervisorError": problem,
        "parseLog": read_json_lines(log_path),
    }
