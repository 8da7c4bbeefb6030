"""Hits in the studio: robots, predictions, records, safe speeds, each against the command line."""

import json
import sys
import unittest

from studio import HIT, LAW, POINT, Q, WithStudio, cli, refusal, words


class Hits(WithStudio):
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
        self.assertIsNone(hit["arm"])
        for which in ("profile", "arm"):
            broken = self.studio.json("POST", "/api/hit", {"predict": {**HIT, "speed": 0.12}, which: {"mass": 1, "law": "x", "stiffness": 1}})
            self.assertIn("--law: x: must be", broken[which]["error"]["message"])
            self.assertEqual(broken["predict"]["robot"], "panda")

    def test_a_hit_carries_the_record_of_the_elastic_arm_where_the_tool_is(self):
        arm = {**HIT, **LAW, "speed": 0.12, "drives": "panda"}
        hit = self.studio.json("POST", "/api/hit", {"predict": {**HIT, "speed": 0.12}, "profile": {"mass": "composite_rigid_body", **LAW}, "arm": arm})
        self.assertEqual(hit["arm"], self.studio.json("POST", "/api/profile", arm))
        target = [value + 0.02 for value in hit["predict"]["position"]]
        moved = self.studio.json("POST", "/api/hit", {
            "reach": {"robot": "panda", "q": Q, "frame": POINT["frame"], "offset": POINT["offset"], "position": target},
            "predict": {**HIT, "speed": 0.12}, "arm": arm})
        self.assertEqual(moved["arm"], self.studio.json("POST", "/api/profile", {**arm, "q": moved["reach"]["q"]}))
        self.assertNotEqual(moved["arm"]["impulse"], hit["arm"]["impulse"])

    def test_a_hit_says_how_fast_is_safe(self):
        for more in (LAW, {"body": "chest"}, {**LAW, "limits": "franka"}):
            with self.subTest(more):
                asked = {**HIT, **more}
                hit = self.studio.json("POST", "/api/hit", {"predict": {**HIT, "speed": 0.12}, "limit": asked})
                self.assertEqual(hit["limit"], cli("limit", *words(asked)))
        target = [0.45, 0.1, 0.5]  # where the tool is pulled to, the limit is that posture's
        moved = self.studio.json("POST", "/api/hit", {
            "reach": {"robot": "panda", "q": Q, "frame": POINT["frame"], "offset": POINT["offset"], "position": target},
            "predict": {**HIT, "speed": 0.12}, "limit": {**HIT, **LAW}})
        self.assertEqual(moved["limit"], cli("limit", *words({**HIT, **LAW, "q": moved["reach"]["q"]})))
        for more, line in (({"drives": "panda"}, "limit: drives: takes long: ask POST /api/limit"),
                           ({"fastest": True}, "limit: fastest: takes long: ask POST /api/limit"),
                           ({"body": "nose"}, refusal("limit", *words({**HIT, "body": "nose"})))):
            law = {} if "body" in more else LAW
            hit = self.studio.json("POST", "/api/hit", {"predict": {**HIT, "speed": 0.12}, "limit": {**HIT, **law, **more}})
            self.assertEqual(hit["limit"]["error"]["message"], line)
            self.assertIsNotNone(hit["predict"])

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


if __name__ == "__main__":
    sys.exit(unittest.main())
