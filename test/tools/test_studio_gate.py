"""The studio as an attacker sees it: every attack by itself."""

import json
import pathlib
import select
import socket
import sys
import unittest

from program import ROOT
from studio import HIT, WithStudio


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
        answer = self.studio.raw(f"POST /api/hit HTTP/1.1\r\nHost: 127.0.0.1:{self.studio.port}\r\n"
                                 "Content-Length: 99999999999999\r\n\r\n".encode())
        self.assertIn(b" 401 ", answer.partition(b"\r\n")[0])

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
        self.assertEqual(self.studio.ask("GET", "/api/studio")[0], 200)
        self.assertEqual(select.select(slow, [], [], 0)[0], [], "others are answered while it is waited for")
        # and is not waited for without an end
        readable = select.select(slow, [], [], 60)[0]
        self.assertTrue(readable)
        for connection in slow:
            connection.close()

    def test_only_this_machine(self):
        listening = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        local = [fields[1] for fields in listening if int(fields[1].partition(":")[2], 16) == self.studio.port and fields[3] == "0A"]
        self.assertEqual(local, [f"0100007F:{self.studio.port:04X}"])


if __name__ == "__main__":
    sys.exit(unittest.main())
