"""thud studio as a command: its address, its page, what it opens, how it ends."""

import http.client
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from program import ROOT, THUD
from studio import LONG, RECORD, Studio, WithStudio, cli


class Page(WithStudio):
    def test_the_page_answers_at_the_printed_address(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.studio.port)
        connection.request("GET", self.studio.address.partition(str(self.studio.port))[2], headers={
            "Accept-Encoding": "gzip, deflate, br"})  # as browsers ask: to compress takes longer than to send
        answer = connection.getresponse()
        page = answer.read().decode()
        self.assertEqual(answer.status, 200)
        self.assertIn("text/html", answer.getheader("Content-Type"))
        self.assertIn("<title>", page)
        self.assertNotIn("@THUD_NONCE@", page)
        self.assertIsNone(answer.getheader("Content-Encoding"))
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


class Command(unittest.TestCase):
    def test_interrupted_while_computing(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            studio = Studio("panda")
            studio.json("POST", "/api/map?wait=0", LONG, 202)
            studio.ask("GET", "/api/jobs/j1?wait=500")
            self.assertIn(studio.close(how), (0, 130))  # long before the map would be done

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
        for arguments, line in ((["--port", "70000"], "--port: 70000: must be from 0 to 65535"), (["--port", "x"], "--port: 'x': must be a whole number from 0 to 65535"),
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
            for name in ("link.ply", "link.glb", "link.gltf"):  # which the page does not read
                (package / "meshes" / name).write_bytes(b"mesh")
            pathlib.Path(folder, "secret.txt").write_text("secret")
            text = (ROOT / "data/robots/planar_2r.urdf").read_text()
            visuals = "".join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in (
                "package://arm_description/meshes/link.stl", "../meshes/link.stl", "../../secret.txt", "package://arm_description/no.stl",
                f"file://{folder}/secret.txt", "http://evil.example/a.stl", "../meshes/link.ply", "../meshes/link.glb", "../meshes/link.gltf"))
            link = re.search(r"<link name=\"[^\"]+\">", text)
            urdf = package / "urdf/arm.urdf"
            urdf.write_text(text[:link.end()] + visuals + text[link.end():])
            for words, start in ((str(urdf), ROOT), ("arm.urdf", urdf.parent)):  # by its path, and in its own folder
                with self.subTest(words):
                    studio = Studio(words, cwd=start)
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
