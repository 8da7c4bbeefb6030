"""Long work of the studio: progress, cancelling, many pages at once."""

import json
import sys
import threading
import time
import unittest

from program import THUD
from studio import HIT, LAW, LONG, Q, WithStudio

SANITIZED = "asan" in THUD


class Jobs(WithStudio):
    def start(self, page="test"):
        job = self.studio.json("POST", "/api/map?wait=0", LONG, 202, page=page)
        return job["job"]

    def wait_for(self, job, states, seconds=120):
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
        until = time.monotonic() + 120
        while report["done"] == 0 and time.monotonic() < until:
            report = json.loads(self.studio.ask("GET", f"/api/jobs/{job}?wait=100")[2])
        self.assertGreater(report["done"], 0)
        self.assertEqual(report["total"], LONG["samples"])
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

    def test_limits_and_fits_do_not_wait_for_maps(self):
        one, two, three = self.start("one"), self.start("two"), self.start("test")
        self.wait_for(one, ("running",))
        self.wait_for(two, ("running",))
        limit = json.loads(self.studio.ask("POST", "/api/limit?wait=0", {**HIT, "body": "hand"}, page="hit")[2])["job"]
        self.assertEqual(self.wait_for(limit, ("done",))["state"], "done")
        self.assertEqual(self.wait_for(three, ("queued",))["state"], "queued")
        # nor are they refused because maps wait
        for i in range(25):
            self.studio.ask("POST", "/api/map?wait=0", LONG, page=f"p{i}")
        self.assertEqual(self.studio.job("limit", {**HIT, "body": "hand"})["state"], "done")
        for i in range(25):
            self.studio.ask("DELETE", "/api/jobs", page=f"p{i}")

    def test_no_more_than_can_wait(self):
        jobs = [json.loads(self.studio.ask("POST", "/api/map?wait=0", LONG, page=f"p{i}")[2]) for i in range(25)]
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


if __name__ == "__main__":
    sys.exit(unittest.main())
