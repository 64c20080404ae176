"""An nginx of a run's own: one process, with everything that it writes in one folder."""

from pathlib import Path

CONFIGURATION = """
daemon off;
# The one process is the worker, so that its cost is read in one place and nothing is left when it is killed.
master_process off;
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


def nginx_command(program, folder, http, level="warn"):
    """What starts it, with this within its `http`. The folder is there already."""
    file = Path(folder) / "nginx.conf"
    file.write_text(CONFIGURATION.format(folder=folder, level=level, http=http))
    return [program, "-p", str(folder), "-e", "stderr", "-c", str(file)]
