"""Has shellcheck read the commands of GitHub workflows, as scripts of bash. scripts/check-workflows.sh starts it."""

import re
import subprocess
import sys
from pathlib import Path

from ruamel.yaml import YAML

# GitHub starts bash so. Without `shell: bash` pipefail is missing; shellcheck does not care.
HEADER = "#!/usr/bin/env bash\nset -eo pipefail\n"
EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


def main(paths):
    count = failed = 0
    for path in paths:
        workflow = YAML(typ="safe").load(Path(path))
        for name, job in workflow["jobs"].items():
            variables = {**workflow.get("env", {}), **job.get("env", {})}
            for step in job.get("steps", []):
                if "run" not in step:
                    continue
                count += 1
                known = {**variables, **step.get("env", {})}
                declared = "".join(f"export {variable}=value\n" for variable in known)
                script = HEADER + declared + EXPRESSION.sub("value", step["run"])
                result = subprocess.run(
                    ["shellcheck", "--color=never", "-"], input=script, text=True, stdout=subprocess.PIPE)
                if result.returncode != 0:
                    failed += 1
                    print(f"{path}, job {name}, step {step.get('name', step['run'].splitlines()[0])}:{result.stdout}")
    print(f"check-workflows: shellcheck read the commands of {count} steps; {failed} of them have mistakes")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
