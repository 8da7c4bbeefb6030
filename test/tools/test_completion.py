"""Completion of bash, zsh and fish, and the manual page."""

import re
import subprocess
import tempfile
import unittest

from program import ROOT, THUD


def run(*words: str, **options) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60, **options).stdout


def bash(*line: str) -> list[str]:
    script = (f'source <("$THUD" completion bash); COMP_WORDS=({" ".join(map(repr, line))}); '
              f'COMP_CWORD={len(line) - 1}; _thud; printf "%s\\n" "${{COMPREPLY[@]}}"')
    return run("bash", "-c", script, cwd=ROOT).split()


def fish(*line: str) -> list[str]:
    script = f'$THUD completion fish | source; complete -C "{" ".join(line)}"'
    return [each.split("\t")[0] for each in run("fish", "--no-config", "-c", script, cwd=ROOT).splitlines()]


# Completion runs in zsh's line editor alone: one lives on a terminal of its own, and tells its line after a tab.
ZSH = r"""
zmodload zsh/zpty
zpty editor zsh -f -i
zpty -w editor "PS1= PS2=; autoload -Uz compinit; compinit -u -d $1/dump; source <($THUD completion zsh)"
zpty -w editor 'say() { zle -I; print -r -- "LINE={$BUFFER}" }; zle -N say; bindkey "^X" say; print READY'
zpty -r -m editor text $'*\nREADY*'
zpty -w -n editor "$2"$'\t\C-X'
zpty -r -m editor text "*LINE={*}*"
print -r -- "$text"
zpty -d editor
"""


def zsh(*line: str) -> list[str]:
    before = " ".join(line)
    with tempfile.TemporaryDirectory() as folder:
        after = re.search(r"^LINE=\{(.*)\}", run("zsh", "-f", "-c", ZSH, "zsh", folder, before, cwd=ROOT), re.M)[1]
    return [] if after == before else after.split()[-1:]


class Completion(unittest.TestCase):
    def each(self):
        for shell in (bash, zsh, fish):
            with self.subTest(shell=shell.__name__):
                yield shell

    def test_commands_and_options(self):
        for shell in self.each():
            self.assertEqual(shell("thud", "pre"), ["predict"])
            self.assertEqual(shell("thud", "predict", "panda", "--no"), ["--normal"])
            self.assertEqual(shell("thud", "help", "sw"), ["sweep"])

    def test_robots_laws_and_frames(self):
        for shell in self.each():
            self.assertEqual(shell("thud", "predict", "panda_g"), ["panda_gaz"])
            self.assertEqual(shell("thud", "profile", "--law", "v"), ["viscoelastic"])
            self.assertEqual(shell("thud", "fit", "a.csv", "--law", "a"), ["all"])
            self.assertEqual(shell("thud", "predict", "panda", "--frame", "panda_f"), ["panda_foot"])
            self.assertEqual(shell("thud", "fit", "a.csv", "--robot", "planar_2r", "--frame", "t"), ["tip"])
            self.assertEqual(shell("thud", "translate", "--to", "mu"), ["mujoco"])

    def test_files(self):
        for shell in self.each():
            self.assertEqual(shell("thud", "info", "data/robots/pl"), ["data/robots/planar_2r.urdf"])
            self.assertEqual(shell("thud", "predict", "data/robots/planar_2r.urdf", "--frame", "t"), ["tip"])

    def test_robots_that_do_not_exist_have_no_frames(self):
        for shell in self.each():
            self.assertEqual(shell("thud", "predict", "nobody", "--frame", "p"), [])
            self.assertEqual(shell("thud", "frobnicate", "pan"), [])


class Manual(unittest.TestCase):
    def test_has_every_command_and_option(self):
        page = run(THUD, "help", "--man").replace("\\-", "-")
        for command in re.findall(r"^  (\w+)  ", run(THUD, "--help").split("Subcommands:")[1], re.M):
            section = re.search(rf'\.SS "thud {command}"\n(.*?)(?=\.S[SH] )', page, re.S)[1]
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(THUD, command, "--help"), re.M):
                if option != "--help":
                    self.assertIn(f"\\fB{option}\\fR", section, command)

    def test_is_troff_without_fault(self):
        page = run(THUD, "help", "--man")
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-rLL=100n", "-P-cbou"], input=page, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854", done.stdout)


if __name__ == "__main__":
    unittest.main()
