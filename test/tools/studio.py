"""A studio that runs, and what its tests ask in common."""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import unittest

from program import ROOT, THUD

RECORD = ROOT / "data/records/viscoelastic.csv"
Q = [0, 0.1, 0, -1.5, 0, 3.1708, 0.7854]
POINT = {"frame": "panda_foot", "offset": [0, 0, 0.0223], "normal": [-1, 0, 0]}
HIT = {"robot": "panda", "q": Q, **POINT}
LAW = {"law": "viscoelastic", "stiffness": 1e6, "damping": 7.28e6}
LONG = {"robot": "panda", **POINT, "samples": 4000000000, "quantity": "effective_mass"}  # a map of many minutes


def words(options):
    """Options of a request as words of the command line."""
    out = []
    for key, value in options.items():
        if key == "robot":
            out.insert(0, value)
        elif value is True:
            out.append(f"--{key}")
        else:
            out.append(f"--{key}=" + (",".join(map(repr, value)) if isinstance(value, list) else str(value)))
    return out


def cli(command, *arguments):
    done = subprocess.run([THUD, command, *arguments, "--json"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refusal(command, *arguments):
    done = subprocess.run([THUD, command, *arguments, "--json"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2, (done.returncode, done.stderr)
    return done.stderr.removeprefix("thud: ").strip()


class Studio:
    """A studio that runs."""

    def __init__(self, *arguments, env=None, cwd=ROOT):
        self.process = subprocess.Popen([THUD, "studio", *arguments, "--no-browser"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=cwd, env={**os.environ, **(env or {})})
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=([0-9a-f]{32})", self.address)
        assert found, (self.address, self.process.stderr.read())
        self.port, self.token = int(found[1]), found[2]

    def ask(self, method, path, body=None, *, page="test", token=True, host=None, headers=None, timeout=120):
        """Status, headers, bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        sent = {"Host": host or f"127.0.0.1:{self.port}", "X-Thud-Page": page}
        if token:
            sent["X-Thud-Token"] = self.token
        sent |= headers or {}
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        connection.request(method, path, body, {k: v for k, v in sent.items() if v is not None})
        answer = connection.getresponse()
        out = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return out

    def json(self, method, path, body=None, status=200, **more):
        got, _, text = self.ask(method, path, body, **more)
        assert got == status, (got, text[:500])
        return json.loads(text)

    def job(self, kind, body, **more):
        """The answer of a job, waited for."""
        job = json.loads(self.ask("POST", f"/api/{kind}?wait=2000", body, **more)[2])
        while job.get("state") in ("queued", "running"):
            job = json.loads(self.ask("GET", f"/api/jobs/{job['job']}?wait=2000", **more)[2])
        return job

    def raw(self, data, timeout=60):
        """What comes back to these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            connection.sendall(data)
            out = b""
            try:
                while chunk := connection.recv(65536):
                    out += chunk
            except ConnectionResetError:
                pass
            return out

    def memory(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1])

    def close(self, how=signal.SIGINT):
        self.process.send_signal(how)
        code = self.process.wait(timeout=60)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class WithStudio(unittest.TestCase):
    arguments = ("panda",)

    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(*cls.arguments)

    @classmethod
    def tearDownClass(cls):
        assert cls.studio.close() == 0

    def refuses(self, path, body, line, status=400):
        error = self.studio.json("POST", path, body, status)["error"]
        self.assertEqual(error["message"], line)
        return error
