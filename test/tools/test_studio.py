"""thud studio as a page and as an attacker see it: every address against the command line, every attack by itself."""

import http.client
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from program import ROOT, THUD

SANITIZED = "asan" in THUD
RECORD = ROOT / "data/records/viscoelastic.csv"
Q = [0, 0.1, 0, -1.5, 0, 3.1708, 0.7854]
POINT = {"frame": "panda_foot", "offset": [0, 0, 0.0223], "normal": [-1, 0, 0]}
HIT = {"robot": "panda", "q": Q, **POINT}
LAW = {"law": "viscoelastic", "stiffness": 1e6, "damping": 7.28e6}


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

    def __init__(self, *arguments):
        self.process = subprocess.Popen([THUD, "studio", *arguments, "--no-browser"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, cwd=ROOT)
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

    def raw(self, data, timeout=20):
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
        code = self.process.wait(timeout=20)
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


class Answers(WithStudio):
    def test_the_page_answers_at_the_printed_address(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.studio.port)
        connection.request("GET", self.studio.address.partition(str(self.studio.port))[2])
        answer = connection.getresponse()
        page = answer.read().decode()
        self.assertEqual(answer.status, 200)
        self.assertIn("text/html", answer.getheader("Content-Type"))
        self.assertIn("<title>", page)
        self.assertNotIn("@THUD_NONCE@", page)
        policy = answer.getheader("Content-Security-Policy")
        self.assertIn("default-src 'none'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        nonce = re.search(r"script-src 'nonce-([0-9a-f]{32})'", policy)[1]
        self.assertNotIn("unsafe-eval", policy)
        cookie = answer.getheader("Set-Cookie")
        self.assertEqual(cookie, f"thud_{self.studio.port}={self.studio.token}; HttpOnly; SameSite=Strict; Path=/")
        # the cookie opens page and addresses, and every load has a nonce of its own
        with_cookie = {"Cookie": "other=1; " + cookie.partition(";")[0]}
        status, headers, _ = self.studio.ask("GET", "/", token=False, headers=with_cookie)
        self.assertEqual(status, 200)
        self.assertNotIn(nonce, headers["Content-Security-Policy"])
        self.assertEqual(self.studio.ask("GET", "/api/studio", token=False, headers=with_cookie)[0], 200)

    def test_what_there_is(self):
        studio = self.studio.json("GET", "/api/studio")
        shipped = cli("info")
        self.assertEqual(studio["robots"], shipped["robots"])
        self.assertEqual(studio["drives"], shipped["drives"])
        self.assertEqual(studio["limits"], shipped["limits"])
        self.assertEqual((studio["subject"], studio["subject_kind"]), ("panda", "robot"))
        self.assertEqual([law["name"] for law in studio["laws"]], ["spring", "maxwell", "viscoelastic", "hunt_crossley"])

    def test_every_shipped_robot_is_what_info_says_and_starts_well(self):
        for name in self.studio.json("GET", "/api/studio")["robots"]:
            with self.subTest(name):
                robot = self.studio.json("GET", f"/api/robots/{name}")
                drawn = robot.pop("studio")
                self.assertEqual(robot, cli("info", name))
                start = drawn["start"]
                self.assertEqual(len(start["q"]), len(robot["joints"]))
                self.assertEqual(len(drawn["bodies"]), len(robot["joints"]) + len(robot["followers"]))
                for q, joint in zip(start["q"], robot["joints"]):
                    self.assertGreaterEqual(q, -1e9 if joint["lower"] is None else joint["lower"])
                    self.assertLessEqual(q, 1e9 if joint["upper"] is None else joint["upper"])
                hit = self.studio.json("POST", "/api/hit", {"predict": {
                    "robot": name, "q": start["q"], "frame": start["frame"], "offset": start["offset"],
                    "normal": start["normal"], "speed": 0.1}})
                self.assertGreater(hit["predict"]["options"]["generalized_momentum"]["effective_mass"], 0)

    def test_a_box_has_the_inertia_of_its_body(self):
        for body in self.studio.json("GET", "/api/robots/panda")["studio"]["bodies"]:
            if body["box"] is None:
                continue
            a, b, c = (edge * edge for edge in body["box"])
            for moment, square in zip(body["moments"], (b + c, a + c, a + b)):
                self.assertAlmostEqual(moment, body["mass"] / 12 * square, delta=1e-9 * max(body["moments"]) + 1e-15)

    def test_hit_is_predict(self):
        for more in ({"speed": 0.12}, {"dq": [0.1, 0.3, 0, 0.1, 0, 0, 0], "friction": 0.3, "restitution": 0.5, "object-mass": 2},
                     {"speed": 0.2, "drives": "panda", "wall": "viscoelastic,stiffness=1e6,damping=7.28e6"},
                     {"speed": 0.1, "compare": ["panda_fer", "panda_gaz"], "whole": True, "duration": 0.01}):
            with self.subTest(more):
                hit = self.studio.json("POST", "/api/hit", {"predict": {**HIT, **more}})
                drawn = hit["predict"].pop("studio")
                command = {key: ",".join(value) if key == "compare" else value for key, value in {**HIT, **more}.items()}
                self.assertEqual(hit["predict"], cli("predict", *words(command)))
                self.assertIsNone(hit["profile"])
                # the ellipsoid's inverse along the normal is the effective mass, and the impulse makes the jump
                for model in ("generalized_momentum", "composite_rigid_body"):
                    w = drawn["inverse_inertia"][model]
                    self.assertAlmostEqual(1 / w[0], hit["predict"]["options"][model]["effective_mass"], places=9)
                    if "friction" not in more:
                        before, after = drawn["velocity_W"], drawn["velocity_after_W"][model]
                        p = drawn["impulse_W"][model]
                        for i in range(3):
                            jump = sum(w[i + 3 * k] * p[k] for k in range(3))
                            self.assertAlmostEqual(after[i], before[i] + jump, places=9)

    def test_profile_is_profile(self):
        for options in ({"mass": 4, "speed": 0.12, "law": "viscoelastic", "stiffness": 3e5, "damping": 2.5e6},
                        {"mass": 4, "speed": 0.12, "law": "spring", "stiffness": 3e5, "restitution": 0.5, "object-mass": 2},
                        {**HIT, **LAW, "speed": 0.12, "drives": "panda"}):
            profile = self.studio.json("POST", "/api/profile", options)
            course = profile.pop("studio")["course"]
            self.assertEqual(profile, cli("profile", *words(options)))
            self.assertEqual(len(course["time"]), 601)
            self.assertAlmostEqual(max(course["force"]) / profile["events"]["peak"]["force"], 1, delta=1e-2)

    def test_a_hit_carries_its_profile(self):
        hit = self.studio.json("POST", "/api/hit", {
            "predict": {**HIT, "speed": 0.12}, "profile": {"mass": "composite_rigid_body", **LAW}})
        mass = hit["predict"]["options"]["composite_rigid_body"]["effective_mass"]
        self.assertAlmostEqual(hit["profile"]["mass"], mass, places=12)
        self.assertAlmostEqual(hit["profile"]["speed"], 0.12, places=9)
        broken = self.studio.json("POST", "/api/hit", {"predict": {**HIT, "speed": 0.12}, "profile": {"mass": 1, "law": "x", "stiffness": 1}})
        self.assertIn("--law: x: must be", broken["profile"]["error"]["message"])
        self.assertEqual(broken["predict"]["robot"], "panda")

    def test_dragging_moves_the_tool(self):
        start = self.studio.json("POST", "/api/hit", {"predict": {**HIT, "speed": 0.1}})["predict"]["position"]
        target = [start[0] - 0.05, start[1] + 0.1, start[2]]
        hit = self.studio.json("POST", "/api/hit", {
            "reach": {"robot": "panda", "q": Q, "frame": POINT["frame"], "offset": POINT["offset"], "position": target},
            "predict": {**HIT, "speed": 0.1}})
        self.assertEqual(hit["reach"]["status"], "reached")
        for got, wanted in zip(hit["predict"]["position"], target):
            self.assertAlmostEqual(got, wanted, places=9)
        self.assertEqual(hit["predict"]["q"], hit["reach"]["q"])
        far = self.studio.json("POST", "/api/reach", {"robot": "panda", "q": Q, "frame": "panda_foot", "position": [9, 0, 0]})
        self.assertEqual(far["status"], "nearest")
        kept = self.studio.json("POST", "/api/reach", {
            "robot": "panda", "q": Q, "frame": "panda_foot", "position": target, "orientation": far["orientation"]})
        self.assertLess(kept["orientation_error"], 1)

    def test_translate_is_translate(self):
        options = {"law": "viscoelastic", "mass": 4, "speed": 0.12, "stiffness": 3e5, "damping": 2.5e6, "to": "mujoco"}
        self.assertEqual(self.studio.json("POST", "/api/translate", options), cli("translate", *words(options)))

    def test_limit_is_limit(self):
        options = {**HIT, "body": "chest"}
        job = self.studio.job("limit", options)
        self.assertEqual(job["state"], "done")
        self.assertEqual(job["answer"], cli("limit", *words(options)))

    def test_fit_is_fit(self):
        file = self.studio.json("POST", "/api/files?name=hit.csv", RECORD.read_bytes())
        self.assertEqual((file["kind"], file["name"]), ("record", "hit.csv"))
        info = cli("info", str(RECORD))
        self.assertEqual(file["info"], {**info, "file": "hit.csv"})
        answer = self.studio.job("fit", {"records": [file["id"]], "speed": 0.12})["answer"]
        drawn = answer["records"][0].pop("studio")
        wanted = cli("fit", str(RECORD), "--speed", "0.12")
        wanted["records"][0]["file"] = "hit.csv"
        self.assertEqual(answer, wanted)
        best = answer["records"][0]["best"]
        residual = drawn["laws"][best]["residual"]
        rmse = (sum(r * r for r in residual) / len(residual)) ** 0.5
        self.assertAlmostEqual(rmse / answer["records"][0]["laws"][best]["residuals"]["rmse"], 1, places=6)
        self.assertLessEqual(len(drawn["record"]["time"]), 4001)
        # by hand: another window and law, and each record at its own speed
        part = self.studio.job("fit", {"records": [file["id"]] * 2, "speeds": [0.12, 0.1], "law": "spring", "to": 0.012})
        self.assertEqual([each["speed"] for each in part["answer"]["records"]], [0.12, 0.1])
        one = cli("fit", str(RECORD), "--speed", "0.1", "--law", "spring", "--to", "0.012")["records"][0]
        got = part["answer"]["records"][1]
        got.pop("studio")
        self.assertEqual(got, {**one, "file": "hit.csv"})
        self.studio.json("DELETE", f"/api/files/{file['id']}")
        self.assertEqual(self.studio.ask("DELETE", f"/api/files/{file['id']}")[0], 400)

    def test_map_is_map(self):
        options = {"robot": "panda", **POINT, "samples": 20000, "cell": 0.1}
        job = self.studio.job("map", options)
        drawn = job["answer"].pop("studio")
        with tempfile.TemporaryDirectory() as folder:
            wanted = cli("map", *words(options), "--out", folder)
        self.assertEqual(job["answer"], {**wanted, "page": None, "table": None})
        self.assertEqual((drawn["format"], drawn["robot"]), ("thud map", "panda"))
        self.assertEqual(job["done"], job["total"])

    def test_a_campaign_is_simulated_and_studied(self):
        small = self.studio.json("GET", "/api/campaign")
        self.assertEqual(small["trials"], len(small["speeds"]) * len(small["configurations"]) * small["repeats"])
        asked = {"speeds": [0.12], "repeats": 1, "seed": 3, "configurations": small["configurations"][:1]}
        job = self.studio.job("campaign", asked)
        self.assertEqual(job["state"], "done", job["error"])
        results = job["answer"]
        self.assertEqual(results["format"], "thud results")
        self.assertEqual([trial["status"] for trial in results["trials"]], ["ok"])
        self.refuses("/api/campaign", {"repeats": 50}, "campaign: 450 trials: must have at most 60; thud simulate has no limit")
        # the same by the command line, whose dataset is then opened
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder, "small.toml")
            text = re.sub(r"(?m)^seed = .*", "seed = 3", small["toml"])
            text = re.sub(r"(?ms)^speeds = \[.*?\]", "speeds = [0.12]", text)
            first = small["configurations"][0]
            blocks = re.split(r"(?m)^(?=\[)", text)
            kept = [block for block in blocks if not block.startswith("[[configuration]]") or first in block]
            plan.write_text("".join(kept))
            data = pathlib.Path(folder, "campaign.h5")
            cli("simulate", str(plan), "--out", str(data))
            cli("study", str(data), "--out", str(pathlib.Path(folder, "out")), "--no-page")
            wanted = json.loads(pathlib.Path(folder, "out/results.json").read_text())
            opened = Studio(str(data))
            told = opened.json("GET", "/api/studio")
            self.assertEqual(told["subject_kind"], "dataset")
            studied = opened.job("study", {"dataset": told["subject"]})
            opened.close()
        self.assertEqual(studied["state"], "done", studied["error"])
        for key in results:
            self.assertEqual(studied["answer"][key], wanted[key], key)
            if key != "dataset":
                self.assertEqual(results[key], wanted[key], key)

    def test_refusals_are_the_command_lines(self):
        for path, command, options in (
                ("/api/hit", "predict", {**HIT, "q": Q[:6], "speed": 0.1}),
                ("/api/hit", "predict", {**HIT, "speed": "fast"}),
                ("/api/hit", "predict", {**HIT}),
                ("/api/hit", "predict", {**HIT, "speed": 0.1, "frame": "nowhere"}),
                ("/api/profile", "profile", {"mass": -1, "speed": 0.1, "law": "spring", "stiffness": 1, "restitution": 1}),
                ("/api/limit", "limit", {**HIT, "body": "knee"}),
                ("/api/map", "map", {"robot": "panda", **POINT, "samples": 1})):
            with self.subTest(command=command, options=options):
                body = {"predict": options} if path == "/api/hit" else options
                got = json.loads(self.studio.ask("POST", path + "?wait=2000", body)[2])["error"]["message"]
                extra = ["--out", "/nowhere/at/all"] if command == "map" else []
                self.assertEqual(got, refusal(command, *words(options), *extra))

    def test_requests_that_are_none(self):
        for body in (b"", b"[]", b"{", b"null", b"\xff\xfe", b"[" * 5000, b'{"predict": ' * 20 + b"1" + b"}" * 20,
                     b'{"predict": {"robot": {}}}', b'{"predict": []}', b'{"predict": {"q": [[1]]}}', b'{"predict": {"--q": 1}}',
                     b'{"predict": {"help": true}}', b'{"predict": {"plot": "x.svg"}}', b'{"predict": {"robot": "--help"}}',
                     b'{"predict": {"speed": ""}}', b'{"more": 1}'):
            with self.subTest(body[:40]):
                status, _, text = self.studio.ask("POST", "/api/hit", body)
                self.assertEqual(status, 400)
                self.assertTrue(json.loads(text)["error"]["message"])
        self.assertEqual(self.studio.ask("POST", "/api/hit", {"predict": {}}, page=None)[0], 400)
        self.assertEqual(self.studio.ask("POST", "/api/nothing", {})[0], 404)
        self.assertEqual(self.studio.ask("GET", "/api/jobs/j999")[0], 404)
        self.assertEqual(self.studio.ask("PUT", "/api/hit", {})[0], 405)
        self.assertEqual(self.studio.ask("POST", "/api/robots", {})[0], 405)

    def test_dropped_files(self):
        for name, content, line in (
                ("a.csv", b"no numbers", "a.csv"), ("a.h5", b"", "open it as thud studio a.h5"), ("a.urdf", b"<robot/>", "a.urdf"),
                ("a.exe", b"", "must end in"), ("a.urdf", b"<mujoco><worldbody/></mujoco>", "is MJCF"), ("a.toml", b"=", "a.toml")):
            with self.subTest(name=name, content=content):
                status, _, text = self.studio.ask("POST", f"/api/files?name={name}", content)
                self.assertEqual(status, 400)
                self.assertIn(line, json.loads(text)["error"]["message"])
                self.assertNotIn("/proc", text.decode())
        urdf = (ROOT / "data/robots/planar_2r.urdf").read_bytes()
        robot = self.studio.json("POST", "/api/files?name=mine.urdf", urdf)
        described = self.studio.json("GET", f"/api/robots/{robot['id']}")
        self.assertEqual(described["studio"]["urdf"], urdf.decode())
        drives = self.studio.json("POST", "/api/files?name=d.toml", (ROOT / "data/drives/panda.toml").read_bytes())
        self.assertEqual(drives["kind"], "drives")
        options = {**HIT, **LAW, "speed": 0.12, "drives": drives["id"]}
        profile = self.studio.json("POST", "/api/profile", options)
        profile.pop("studio")
        self.assertEqual(profile, cli("profile", *words({**options, "drives": "panda"})))
        limits = self.studio.json("POST", "/api/files?name=l.toml", b"[contact]\nforce = 100.0\n")
        self.assertEqual(limits["kind"], "limits")


class Attacks(WithStudio):
    def test_foreign_host(self):
        for host in ("evil.example", f"evil.example:{self.studio.port}", "127.0.0.1", f"127.0.0.1:{self.studio.port + 1}", "",
                     f"127.0.0.1.evil.example:{self.studio.port}", f"[::1]:{self.studio.port}"):
            for path in ("/", "/api/studio", f"/?token={self.studio.token}"):
                with self.subTest(host=host, path=path):
                    status, headers, _ = self.studio.ask("GET", path, headers={"Host": host})
                    self.assertEqual(status, 403)
                    self.assertNotIn("Set-Cookie", headers)
        self.assertEqual(self.studio.ask("GET", "/api/studio", host=f"localhost:{self.studio.port}")[0], 200)

    def test_no_host_and_two_hosts(self):
        token = f"X-Thud-Token: {self.studio.token}\r\n".encode()
        own = f"Host: 127.0.0.1:{self.studio.port}\r\n".encode()
        for hosts in (b"", own + b"Host: evil.example\r\n"):
            answer = self.studio.raw(b"GET /api/studio HTTP/1.1\r\n" + hosts + token + b"\r\n")
            self.assertIn(b" 403 ", answer.partition(b"\r\n")[0])

    def test_foreign_origin(self):
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{self.studio.port}", "http://127.0.0.1",
                       f"http://localhost:{self.studio.port}"):
            with self.subTest(origin):
                status, headers, _ = self.studio.ask("POST", "/api/hit", {"predict": {}}, headers={"Origin": origin})
                self.assertEqual(status, 403)
                self.assertNotIn("Access-Control-Allow-Origin", headers)
        own = {"Origin": f"http://127.0.0.1:{self.studio.port}"}
        self.assertEqual(self.studio.ask("GET", "/api/studio", headers=own)[0], 200)
        for site in ("cross-site", "same-site"):
            self.assertEqual(self.studio.ask("GET", "/api/studio", headers={"Sec-Fetch-Site": site})[0], 403)

    def test_preflight_is_not_answered(self):
        status, headers, _ = self.studio.ask("OPTIONS", "/api/hit", token=False, headers={
            "Origin": "http://evil.example", "Access-Control-Request-Method": "POST"})
        self.assertEqual(status, 403)
        self.assertFalse([name for name in headers if name.lower().startswith("access-control")])

    def test_no_token(self):
        for method, path in (("GET", "/"), ("GET", "/api/studio"), ("POST", "/api/hit"), ("DELETE", "/api/jobs"),
                             ("GET", f"/api/studio?token={self.studio.token}")):
            with self.subTest(path):
                status, headers, text = self.studio.ask(method, path, token=False)
                self.assertEqual(status, 401)
                self.assertNotIn("Set-Cookie", headers)
                self.assertNotIn(self.studio.token.encode(), text)

    def test_wrong_token(self):
        for wrong in ("0" * 32, self.studio.token[:-1], self.studio.token + "0", ""):
            with self.subTest(wrong):
                self.assertEqual(self.studio.ask("GET", f"/?token={wrong}", token=False)[0], 401)
                for headers in ({"Cookie": f"thud_{self.studio.port}={wrong}"}, {"X-Thud-Token": wrong}):
                    self.assertEqual(self.studio.ask("GET", "/api/studio", token=False, headers=headers)[0], 401)
        other = {"Cookie": f"thud_{self.studio.port + 1}={self.studio.token}"}
        self.assertEqual(self.studio.ask("GET", "/api/studio", token=False, headers=other)[0], 401)

    def test_oversized_body(self):
        self.assertEqual(self.studio.ask("POST", "/api/hit", b" " * (2 << 20))[0], 413)
        self.assertEqual(self.studio.ask("POST", "/api/hit", b'{"a":"' + b"x" * (1 << 20) + b'"}')[0], 413)
        # without a token nothing of it is read
        begun = time.monotonic()
        answer = self.studio.raw(f"POST /api/hit HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\n"
                                 "Content-Length: 99999999999999\r\n\r\n".encode())
        self.assertIn(b" 401 ", answer.partition(b"\r\n")[0])
        self.assertLess(time.monotonic() - begun, 4)

    def test_a_body_without_an_end(self):
        head = (f"POST /api/hit HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nX-Thud-Token: {self.studio.token}\r\n"
                "X-Thud-Page: a\r\nTransfer-Encoding: chunked\r\n\r\n").encode()
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        answer = self.studio.raw(head + chunk * 20 + b"0\r\n\r\n")
        self.assertIn(b" 413 ", answer.partition(b"\r\n")[0])

    def test_compressed_and_multipart_bodies(self):
        for headers in ({"Content-Encoding": "gzip"}, {"Content-Type": "multipart/form-data; boundary=x"}):
            self.assertEqual(self.studio.ask("POST", "/api/hit", b"x" * 100, headers=headers)[0], 415)

    def test_path_traversal(self):
        for path in ("/../../etc/passwd", "/api/robots/..%2f..%2fetc%2fpasswd", "/api/robots/%2Fetc%2Fpasswd",
                     "/api/robots/panda/meshes/../../../../etc/passwd", "/api/robots/panda/meshes/0", "/api/files/../f1",
                     "/api/robots/panda/meshes/-1", "//etc/passwd", "/%00", "/etc/passwd", "/api/robots/data%2Frobots%2Fpanda.urdf"):
            with self.subTest(path):
                status, _, text = self.studio.ask("GET", path)
                self.assertIn(status, (400, 404, 405))
                self.assertNotIn(b"root:", text)
        for options in ({**HIT, "robot": "/etc/passwd"}, {**HIT, "robot": str(ROOT / "data/robots/panda.urdf")},
                        {**HIT, "drives": str(ROOT / "data/drives/panda.toml")}, {**HIT, "compare": "../../etc/passwd"}):
            status, _, text = self.studio.ask("POST", "/api/hit", {"predict": {**options, "speed": 0.1}})
            self.assertEqual(status, 400)
            self.assertIn("open", json.loads(text)["error"]["message"])
        self.assertEqual(self.studio.ask("POST", "/api/limit", {**HIT, "limits": "/etc/passwd"})[0], 400)
        self.assertEqual(self.studio.ask("POST", "/api/study", {"dataset": "/etc/passwd"})[0], 400)
        self.assertEqual(self.studio.ask("POST", "/api/translate", {"fit": "/etc/passwd", "to": "mujoco"})[0], 400)

    def test_garbage(self):
        for data in (b"\x00" * 100, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\xff" * 5000, b"G" * 20000 + b"\r\n\r\n",
                     b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 2000 + b"\r\n", b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                     b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\nabc", b"\r\n\r\n\r\n", b"GET " + b"/" * 9000 + b" HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\nRange: bytes=" + b"0-," * 2000 + b"\r\n\r\n"):
            with self.subTest(data[:30]):
                answer = self.studio.raw(data)
                if answer:
                    self.assertRegex(answer.partition(b"\r\n")[0], rb"^HTTP/1\.[01] [45]\d\d ")
        self.assertEqual(self.studio.ask("GET", "/api/studio")[0], 200)

    def test_what_follows_a_refused_request_is_not_read_as_another(self):
        inside = f"GET /api/studio HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\nX-Thud-Token: {self.studio.token}\r\n\r\n"
        answer = self.studio.raw(f"POST /api/hit HTTP/1.1\r\nHost: evil.example\r\nContent-Length: {len(inside)}\r\n\r\n{inside}".encode())
        self.assertEqual(answer.count(b"HTTP/1."), 1)

    def test_a_slow_client_keeps_nobody_waiting(self):
        slow = [socket.create_connection(("127.0.0.1", self.studio.port)) for _ in range(40)]
        for connection in slow:
            connection.sendall(b"GET / HT")
        begun = time.monotonic()
        self.assertEqual(self.studio.ask("GET", "/api/studio")[0], 200)
        self.assertLess(time.monotonic() - begun, 3)
        # and is not waited for without an end
        readable = select.select(slow, [], [], 15)[0]
        self.assertTrue(readable)
        for connection in slow:
            connection.close()

    def test_only_this_machine(self):
        listening = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        local = [fields[1] for fields in listening if int(fields[1].partition(":")[2], 16) == self.studio.port and fields[3] == "0A"]
        self.assertEqual(local, [f"0100007F:{self.studio.port:04X}"])


class Work(WithStudio):
    LONG = {"robot": "panda", **POINT, "samples": 4000000000, "quantity": "effective_mass"}

    def start(self, page="test"):
        job = self.studio.json("POST", "/api/map?wait=0", self.LONG, 202, page=page)
        return job["job"]

    def wait_for(self, job, states, seconds=20):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            report = json.loads(self.studio.ask("GET", f"/api/jobs/{job}?wait=100")[2])
            if report["state"] in states:
                return report
        self.fail(f"{job} is {report}")

    def tearDown(self):
        for page in ("test", "one", "two"):
            self.studio.ask("DELETE", "/api/jobs", page=page)

    def test_progress_and_cancel(self):
        job = self.start()
        report = self.wait_for(job, ("running",))
        until = time.monotonic() + 20
        while report["done"] == 0 and time.monotonic() < until:
            report = json.loads(self.studio.ask("GET", f"/api/jobs/{job}?wait=100")[2])
        self.assertGreater(report["done"], 0)
        self.assertEqual(report["total"], self.LONG["samples"])
        self.assertEqual(self.studio.json("DELETE", f"/api/jobs/{job}")["state"], "cancelled")
        # and the machine is free: another one is done
        self.assertEqual(self.studio.job("limit", {**HIT, "body": "hand"})["state"], "done")

    def test_a_newer_one_takes_its_place(self):
        first = self.start()
        second = self.start()
        self.assertEqual(self.wait_for(first, ("cancelled",))["state"], "cancelled")
        self.wait_for(second, ("running",))

    def test_pages_do_not_disturb_each_other(self):
        one, two = self.start("one"), self.start("two")
        self.wait_for(one, ("running",))
        self.wait_for(two, ("running",))
        self.studio.json("DELETE", "/api/jobs", page="one")
        self.assertEqual(self.wait_for(one, ("cancelled",))["state"], "cancelled")
        self.wait_for(two, ("running",))

    def test_hits_go_on_beside_jobs(self):
        self.start("one"), self.start("two")
        for _ in range(5):
            self.assertEqual(self.studio.ask("POST", "/api/hit", {"predict": {**HIT, "speed": 0.1}})[0], 200)

    def test_no_more_than_can_wait(self):
        jobs = [json.loads(self.studio.ask("POST", "/api/map?wait=0", self.LONG, page=f"p{i}")[2]) for i in range(25)]
        full = [job for job in jobs if "too many are waiting" in (job["error"] or {}).get("message", "")]
        self.assertTrue(full)
        for i in range(25):
            self.studio.ask("DELETE", "/api/jobs", page=f"p{i}")
        self.assertEqual(self.studio.job("limit", {**HIT, "body": "hand"})["state"], "done")

    @unittest.skipIf(SANITIZED, "a sanitizer keeps what is freed")
    def test_memory_is_steady(self):
        def requests(count):
            for i in range(count):
                q = [Q[0] + 1e-4 * i, *Q[1:]]
                self.studio.ask("POST", "/api/hit", {"predict": {**HIT, "q": q, "speed": 0.1}, "profile": {"mass": 4, **LAW}})
        requests(200)
        before = self.studio.memory()
        requests(800)
        self.assertLess(self.studio.memory() - before, 4000)

    def test_many_at_once(self):
        failures = []

        def drag(page):
            for i in range(20):
                status = self.studio.ask("POST", "/api/hit", {"predict": {**HIT, "q": [0.01 * i, *Q[1:]], "speed": 0.1}}, page=page)[0]
                if status != 200:
                    failures.append(status)

        threads = [threading.Thread(target=drag, args=(f"t{i}",)) for i in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Command(unittest.TestCase):
    def test_interrupted_while_computing(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            studio = Studio("panda")
            studio.json("POST", "/api/map?wait=0", Work.LONG, 202)
            studio.ask("GET", "/api/jobs/j1?wait=500")
            begun = time.monotonic()
            self.assertIn(studio.close(how), (0, 130))
            self.assertLess(time.monotonic() - begun, 2)

    def test_a_taken_port_is_one_line(self):
        studio = Studio()
        done = subprocess.run([THUD, "studio", "--no-browser", "--port", str(studio.port)], capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, f"thud: --port: {studio.port}: is not free on this machine\n")
        port = studio.port
        self.assertEqual(studio.close(), 0)
        again = Studio("--port", str(port))
        self.assertEqual(again.port, port)
        self.assertEqual(again.close(), 0)

    def test_two_studios_have_two_ports_and_tokens(self):
        one, two = Studio("--port", "0"), Studio("--port", "0")
        self.assertNotEqual(one.port, two.port)
        self.assertNotEqual(one.token, two.token)
        self.assertEqual(one.ask("GET", "/api/studio", token=False, headers={"X-Thud-Token": two.token})[0], 401)
        self.assertEqual((one.close(), two.close()), (0, 0))

    def test_refusals(self):
        for arguments, line in ((["--port", "70000"], "--port: 70000: must be from 0 to 65535"), (["--port", "x"], "--port: 'x'"),
                                (["nobody"], "nobody"), (["/nowhere/a.csv"], "/nowhere/a.csv"), (["a", "b"], "argument: b")):
            done = subprocess.run([THUD, "studio", "--no-browser", *arguments], capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertRegex(done.stderr, rf"^thud: .*{re.escape(line)}.*\n$")

    def test_json(self):
        process = subprocess.Popen([THUD, "studio", "--json", "--no-browser"], stdout=subprocess.PIPE, text=True)
        text = ""
        while True:
            text += process.stdout.readline()
            try:
                told = json.loads(text)
                break
            except ValueError:
                pass
        self.assertIn(f":{told['port']}/?token=", told["address"])
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=20), 0)
        process.stdout.close()

    def test_what_is_named_is_open(self):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder, "arm_description")
            (package / "meshes").mkdir(parents=True)
            (package / "urdf").mkdir()
            (package / "meshes/link.stl").write_bytes(b"solid mesh")
            pathlib.Path(folder, "secret.txt").write_text("secret")
            text = (ROOT / "data/robots/planar_2r.urdf").read_text()
            visuals = "".join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in (
                "package://arm_description/meshes/link.stl", "../meshes/link.stl", "../../secret.txt", "package://arm_description/no.stl",
                f"file://{folder}/secret.txt", "http://evil.example/a.stl"))
            link = re.search(r"<link name=\"[^\"]+\">", text)
            urdf = package / "urdf/arm.urdf"
            urdf.write_text(text[:link.end()] + visuals + text[link.end():])
            studio = Studio(str(urdf))
            subject = studio.json("GET", "/api/studio")["subject"]
            meshes = studio.json("GET", f"/api/robots/{subject}")["studio"]["meshes"]
            self.assertEqual([mesh["name"] for mesh in meshes],
                             ["package://arm_description/meshes/link.stl", "../meshes/link.stl"])
            self.assertEqual(studio.ask("GET", f"/api/robots/{subject}/meshes/0")[2], b"solid mesh")
            self.assertEqual(studio.ask("GET", f"/api/robots/{subject}/meshes/2")[0], 404)
            self.assertEqual(studio.ask("DELETE", f"/api/files/{subject}")[0], 400)
            self.assertEqual(studio.close(), 0)
        studio = Studio(str(RECORD))
        told = studio.json("GET", "/api/studio")
        self.assertEqual(told["subject_kind"], "record")
        self.assertEqual(studio.job("fit", {"records": [told["subject"]], "speed": 0.12})["state"], "done")
        self.assertEqual(studio.close(), 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
