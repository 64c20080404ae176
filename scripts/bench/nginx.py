"""An nginx of a run's own, with everything that it writes in one folder."""

import os
from pathlib import Path

CONFIGURATION = """
daemon off;
{processes}
pid {folder}/nginx.pid;
error_log stderr {level};
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/client-body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{http}
}}
"""


def nginx_command(program, folder, http, level="warn", workers=None):
    """The command that starts it with this within its `http`. The folder exists.

    - workers: how many serve, beside the process that starts them; without a number the one process does both."""
    file = Path(folder) / "nginx.conf"
    text = CONFIGURATION.format(folder=folder, level=level, http=http, processes=processes(workers))
    file.write_text(text)
    # Killed, the process would leave its workers behind; this signal has it end them.
    tied = [] if workers is None else ["setpriv", "--pdeathsig", "TERM"]
    return [*tied, program, "-p", str(folder), "-e", "stderr", "-c", str(file)]


def processes(workers):
    if workers is None:
        return "master_process off;"
    # Workers that root starts become another user, who cannot look into a folder of the run.
    user = "user root;" if os.geteuid() == 0 else ""
    return f"worker_processes {workers}; {user}"
