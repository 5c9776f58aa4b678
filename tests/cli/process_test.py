#!/usr/bin/env python3
"""The real program where a process matters: signals, closed and full outputs, terminals, shells.

usage: process_test.py PROGRAM
"""
import json
import os
import pathlib
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

INPUTS = pathlib.Path(__file__).resolve().parent / "inputs"
PROGRAM = ""
SAMPLE = INPUTS.parents[2] / "samples" / "qwen3-0.6b"
TWO_WALKS = ["size", str(SAMPLE / "model.json"), "-b", str(SAMPLE / "buckets.json"), "--backend", "sim"]
SIZE = ["size", "model.json", "-b", "buckets.json", "--backend", "sim"]


class ProcessTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for source in INPUTS.iterdir():
            shutil.copy(source, self.folder)

    def run_program(self, *arguments, **options):
        options.setdefault("stdout", subprocess.PIPE)
        # No test here is about a GPU, and the machine may have one.
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, stderr=subprocess.PIPE, timeout=60, check=False,
                              env={**os.environ, "CUDA_VISIBLE_DEVICES": ""}, **options)

    def run_shell(self, command, **options):
        return subprocess.run(["bash", "-c", command], cwd=self.folder, capture_output=True, timeout=60, check=False,
                              env={**os.environ, "GRAPHPLAN": PROGRAM}, **options)

    def test_exit_codes(self):
        for expected, arguments in [
            (0, ["plan", "costs.json"]),
            (1, ["plan", "costs.json", "--free-mib", "1"]),
            (2, ["plan"]),
            (3, ["plan", "none.json"]),
            (4, ["size", "model.json", "-b", "buckets.json"]),
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual(self.run_program(*arguments).returncode, expected)

    def test_answers_of_no_write_their_document(self):
        done = self.run_program("plan", "costs.json", "--free-mib", "1", "-o", "out.json")
        self.assertEqual(done.returncode, 1)
        plan = json.loads((self.folder / "out.json").read_text())
        self.assertEqual([pool["captures"] for pool in plan["pools"]], [[]])
        self.assertEqual(len(plan["pools"][0]["eager"]), 2)

    def test_pipeline(self):
        for command in [
            [*SIZE, "-o", "sized.json"],
            ["plan", "sized.json", "--free-mib", "2048", "-o", "first.json"],
            ["plan", "sized.json", "--free-mib", "2048", "-o", "second.json"],
            ["explain", "first.json"],
            ["diff", "first.json", "second.json"],
        ]:
            done = self.run_program(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "first.json").read_bytes(), (self.folder / "second.json").read_bytes())
        self.assertIn(b"simulated: sim", self.run_program("explain", "first.json").stdout)

    def test_a_plan_is_captured_by_the_allocator_that_it_was_made_for(self):
        model, buckets = SAMPLE / "model.json", SAMPLE / "buckets.json"
        options = ["--expandable-segments", "--roundup-power2-divisions", "4"]
        self.assertEqual(self.run_program(*TWO_WALKS, *options, "-o", "c.json").returncode, 0)
        self.assertEqual(self.run_program("plan", "c.json", "-o", "p.json").returncode, 0)
        verify = ["verify", "p.json", model, "-b", buckets, "--backend", "sim", "--json"]
        done = self.run_program(*verify)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(b"allocator", done.stderr)
        self.assertEqual([pool["error_bytes"] for pool in json.loads(done.stdout)["pools"]], [0])
        off = self.run_program(*verify, "--no-expandable-segments")
        self.assertIn(b"allocator: expandable_segments: the plan says on, here it is off", off.stderr)
        other = self.run_program(*verify, "--max-split-size-mb", "64")
        self.assertIn(b"allocator: expandable_segments: the plan says on, here it is off", other.stderr)
        self.assertIn(b"allocator: max_split_size_mb: the plan says none, here it is 64", other.stderr)
        self.assertNotEqual([pool["error_bytes"] for pool in json.loads(other.stdout)["pools"]], [0])

    def test_a_plan_with_shared_outputs_is_captured_and_replayed_as_it_says(self):
        serve = [SAMPLE / "model.json", "-b", SAMPLE / "buckets.json", "--backend", "sim"]
        self.assertEqual(self.run_program(*TWO_WALKS, "-o", "c.json").returncode, 0)
        self.assertEqual(self.run_program("plan", "c.json", "--outputs", "shared", "-o", "p.json").returncode, 0)
        planned = json.loads((self.folder / "p.json").read_text())["pools"][0]
        self.assertEqual({buffer["walk"] for buffer in planned["output_buffers"]}, {"decode", "prefill"})
        done = self.run_program("verify", "p.json", *serve, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        pool = json.loads(done.stdout)["pools"][0]
        self.assertEqual(pool["error_bytes"], 0)
        self.assertEqual(pool["taken_output_bytes"], sum(b["bytes"] for b in planned["output_buffers"]))
        replayed = self.run_program("replay", "p.json", *serve, "--steps", "50", "--json")
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        self.assertEqual(json.loads(replayed.stdout)["hit_rate"], 1)

    def test_every_sample_is_verified_as_it_is_planned(self):
        for model, ladders in [("llama-3.1-8b", ["buckets", "buckets.vllm", "buckets.sglang"]), ("omni", ["buckets"]),
                               ("vocoder", ["buckets"]), ("mixtral-8x7b", ["buckets"])]:
            for ladder in ladders:
                with self.subTest(model=model, ladder=ladder):
                    sample = SAMPLE.parent / model
                    inputs = [sample / "model.json", "-b", sample / f"{ladder}.json", "--backend", "sim"]
                    self.assertEqual(self.run_program("size", *inputs, "-o", "c.json", "--force").returncode, 0)
                    self.assertEqual(self.run_program("plan", "c.json", "-o", "p.json", "--force").returncode, 0)
                    done = self.run_program("verify", "p.json", *inputs)
                    self.assertEqual(done.returncode, 0, done.stdout.decode())

    def test_a_plan_leaves_what_its_largest_eager_step_takes(self):
        for model in ["llama-3.1-8b", "qwen3-0.6b", "mixtral-8x7b", "vocoder", "omni"]:
            with self.subTest(model=model):
                sample = SAMPLE.parent / model
                inputs = [sample / "model.json", "-b", sample / "buckets.json", "--backend", "sim"]
                self.assertEqual(self.run_program("size", *inputs, "-o", "c.json", "--force").returncode, 0)
                costs = json.loads((self.folder / "c.json").read_text())
                peak, pool, largest = max(((bucket["peak_bytes"], pool["name"], bucket) for pool in costs["pools"]
                                           for bucket in pool["buckets"]), key=lambda found: found[0])
                free = (peak + costs["one_off_bytes"] >> 20) + 40  # room for less than a pool
                planned = self.run_program("plan", "c.json", "--free-mib", str(free), "-q", "-o", "p.json", "--force")
                self.assertEqual(planned.returncode, 0, planned.stderr)
                step = {"pool": pool, "weight": 1, **{name: largest[name] for name in ["walk", "key", "bs", "tokens"]}}
                (self.folder / "t.json").write_text(json.dumps(
                    {"schema": "graphplan.traffic", "schema_version": "1.0", "steps": [step]}))
                taken = (costs["free_bytes_before"] >> 20) - free
                done = self.run_program("replay", "p.json", *inputs, "--sim-taken-mib", str(taken), "--traffic", "t.json",
                                        "--steps", "3", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(json.loads(done.stdout)["eager_steps"], 3)

    def test_standard_output_gets_the_document_only(self):
        for arguments in [[*SIZE, "-o", "-"], ["plan", "costs.json", "--json"], ["simulate", "trace.json", "--json"],
                          ["diff", "plan.json", "plan_other.json", "--json"], ["explain", "plan.json", "--json"],
                          ["devices", "--json"], ["schema", "plan"]]:
            with self.subTest(arguments=arguments):
                json.loads(self.run_program(*arguments).stdout)

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            for arguments in [["--help"], ["--version"], ["plan", "costs.json"], ["plan", "costs.json", "--json"],
                              ["schema"], ["schema", "plan"], ["devices"], ["completion", "bash"]]:
                with self.subTest(arguments=arguments):
                    done = self.run_program(*arguments, stdout=full)
                    self.assertEqual(done.returncode, 3)
                    self.assertIn(b"No space left on device", done.stderr)

    def test_closed_output(self):
        for arguments in ["--help", "plan costs.json", "plan costs.json --json", "plan none.json --json"]:
            with self.subTest(arguments=arguments):
                done = self.run_shell(f'"$GRAPHPLAN" {arguments} >&-')
                self.assertEqual(done.returncode, 3)
                self.assertTrue(done.stderr.startswith(b"graphplan: error:"), done.stderr)
        self.assertEqual(self.run_shell('"$GRAPHPLAN" plan costs.json -o out.json >&- 2>&-').returncode, 0)
        json.loads((self.folder / "out.json").read_text())

    def test_reader_that_went_away(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            done = self.run_program("schema", "plan", stdout=pipe)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"Broken pipe", done.stderr)

    def interrupted(self, arguments, feed):
        """Starts a program that reads the fifo `feed`, interrupts it while it waits."""
        os.mkfifo(self.folder / feed)
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        with open(self.folder / feed, "wb"):  # opens once the program has opened its end
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def test_interrupt_while_reading(self):
        code, out, err = self.interrupted(["plan", "feed.json", "--json"], "feed.json")
        self.assertEqual(code, 130)
        document = json.loads(out)
        self.assertEqual((document["schema"], document["exit_code"]), ("graphplan.error", 130))
        self.assertIn(b"interrupted", err)

    def test_interrupt_leaves_no_file(self):
        before = set(self.folder.iterdir())
        code, _, _ = self.interrupted(["plan", "feed.json", "-o", "out.json"], "feed.json")
        self.assertEqual(code, 130)
        self.assertEqual(set(self.folder.iterdir()) - before, {self.folder / "feed.json"})

    def test_interrupt_while_sizing(self):
        buckets = json.loads((self.folder / "buckets.json").read_text())
        buckets["captures"][0]["batch_sizes"] = list(range(1, 2001))
        (self.folder / "many.json").write_text(json.dumps(buckets))
        before = set(self.folder.iterdir())
        arguments = ["size", "model.json", "-b", "many.json", "--backend", "sim", "--warmup", "100", "-o", "out.json"]
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        first = process.stderr.readline()  # progress of the first bucket: the work has begun
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(b"[1/2000]", first)
        self.assertIn(b"interrupted", err)
        self.assertEqual(set(self.folder.iterdir()), before)

    BENCH = ["bench", "model.json", "-b", "buckets.json", "--backend", "sim", "--budget-ms", "1"]

    def test_a_broken_context_costs_only_its_process(self):
        for isolate in ["none", "process"]:
            with self.subTest(isolate=isolate):
                done = self.run_program(*self.BENCH, "--sim-fault", "capture_run@decode bs=4=poisons",
                                        "--sim-fault", "launch@decode bs=2=poisons:710", "--isolate", isolate,
                                        "-o", "times.json", "--force")
                self.assertEqual(done.returncode, 1, done.stderr)
                times = json.loads((self.folder / "times.json").read_text())
                self.assertEqual([(bucket["bs"], bucket["timed"]) for bucket in times["buckets"]],
                                 [(8, "graph"), (4, "direct"), (2, "none"), (1, "graph")])
                self.assertEqual([bucket["failure"] and bucket["failure"]["class"] for bucket in times["buckets"]],
                                 [None, "poisoned", "fatal", None])
                self.assertEqual((times["buckets_left"], times["buckets_lost"]), (0, 0))
                line = (b"graphplan: direct timing walk=decode bs=4 tokens=4 phase=capture "
                        b"reason=cudaErrorIllegalAddress\n")
                self.assertEqual(done.stderr.count(line), 1, done.stderr)
                self.assertEqual(done.stderr.count(b'"capture": "deny"'), 1, done.stderr)

    def test_times_are_the_same_in_another_process(self):
        here, there = (self.run_program(*self.BENCH, "--json", "--isolate", isolate)
                       for isolate in ["none", "process"])
        self.assertEqual(here.returncode, 0)
        self.assertEqual(here.stdout, there.stdout)

    def bench_many(self, *arguments):
        buckets = json.loads((self.folder / "buckets.json").read_text())
        buckets["captures"][0]["batch_sizes"] = list(range(1, 41))
        (self.folder / "many.json").write_text(json.dumps(buckets))
        process = subprocess.Popen([PROGRAM, "bench", "model.json", "-b", "many.json", "--backend", "sim",
                                    "-o", "times.json", *arguments], cwd=self.folder, stderr=subprocess.PIPE,
                                   start_new_session=True)
        for line in process.stderr:
            if b"[3/" in line:
                break
        return process

    def test_interrupt_keeps_what_was_timed(self):
        for arguments in [[], ["--isolate", "process", "--force"]]:
            with self.subTest(arguments=arguments):
                process = self.bench_many(*arguments)
                os.killpg(process.pid, signal.SIGINT)
                _, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, err)
                times = json.loads((self.folder / "times.json").read_text())
                self.assertGreaterEqual(len(times["buckets"]), 2)
                self.assertGreater(times["buckets_left"], 0)
                self.assertEqual(len(times["buckets"]) + times["buckets_left"], 40)
                self.assertIn(b"not complete:", err)

    def test_a_process_that_is_killed_costs_nothing_but_time(self):
        process = self.bench_many("--isolate", "process")
        child = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        os.kill(int(child[0]), signal.SIGKILL)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        times = json.loads((self.folder / "times.json").read_text())
        self.assertEqual([bucket["bs"] for bucket in times["buckets"]], list(range(40, 0, -1)))

    def killed_at(self, process, bs):
        """Kills the child at each start of a bucket; how many starts of any bucket there were."""
        starts = 0
        for line in process.stderr:
            starts += line.startswith(b"[")
            if f"decode bs={bs} ".encode() in line and line.startswith(b"["):
                children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
                os.kill(int(children[0]), signal.SIGKILL)
        process.wait(timeout=60)
        return starts

    def test_a_bucket_that_ends_its_process_is_named_at_a_small_price(self):
        process = self.bench_many("--isolate", "process", *self.flags_for_bs(40, 20))
        starts = self.killed_at(process, 25)
        self.assertEqual(process.returncode, 1)
        times = json.loads((self.folder / "times.json").read_text())
        self.assertEqual([bucket["bs"] for bucket in times["buckets"]], list(range(40, 19, -1)))
        lost = next(bucket for bucket in times["buckets"] if bucket["bs"] == 25)
        self.assertEqual((lost["timed"], lost["failure"]["phase"], lost["failure"]["reason"]),
                         ("none", "process", "signal_9"))
        self.assertEqual((times["buckets_lost"], times["buckets_left"]), (1, 0))
        self.assertLess(starts, 3 * 21)

    @staticmethod
    def flags_for_bs(most, least):
        return [word for bs in range(most, least - 1, -1) for word in ("--bucket", f"decode:{bs}")]

    def test_processes_that_cannot_start_end_it(self):
        os.mkfifo(self.folder / "model.fifo")
        process = subprocess.Popen([PROGRAM, "bench", "model.fifo", "-b", "buckets.json", "--backend", "sim", "-o",
                                    "times.json", "--sim-fault", "capture_run@decode bs=4=poisons"],
                                   cwd=self.folder, stderr=subprocess.PIPE)
        with open(self.folder / "model.fifo", "wb") as fifo:
            fifo.write((self.folder / "model.json").read_bytes())
        (self.folder / "model.fifo").unlink()
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn(b"2 buckets not timed, since no process could", err)
        times = json.loads((self.folder / "times.json").read_text())
        self.assertEqual((len(times["buckets"]), times["buckets_left"]), (2, 2))

    def test_an_interrupt_of_the_parent_alone_reaches_the_child(self):
        process = self.bench_many("--isolate", "process")
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertGreater(json.loads((self.folder / "times.json").read_text())["buckets_left"], 0)

    def test_a_child_does_not_outlive_its_parent(self):
        process = self.bench_many("--isolate", "process", "--budget-ms", "10000")
        child = int(pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
        process.kill()
        process.communicate(timeout=60)
        for _ in range(200):
            stat = pathlib.Path(f"/proc/{child}/stat")
            if not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return
            time.sleep(0.05)
        self.fail("the child goes on")

    def test_csv_goes_where_the_output_is(self):
        done = self.run_program(*self.BENCH, "--format", "csv", "-o", "times.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.folder / "times.csv").read_text().startswith("backend,device,pool,"))
        self.assertTrue(self.run_program(*self.BENCH, "--format", "csv", "-o", "-").stdout.startswith(b"backend,"))
        self.assertEqual(self.run_program(*self.BENCH, "--format", "json", "-o", "times.json").returncode, 0)

    def test_walks_that_are_not_there_are_refused(self):
        done = self.run_program(*self.BENCH, "--walk", "decode", "--walk", "decod")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b'Did you mean "decode"?', done.stderr)

    def test_sizes_stand_where_nothing_can_be_timed(self):
        done = self.run_program(*TWO_WALKS, "--sim-taken-mib", "135150", "--time", "-o", "untimed.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"not timed:", done.stderr)
        for bucket in json.loads((self.folder / "untimed.json").read_text())["pools"][0]["buckets"]:
            self.assertNotIn("eager_us", bucket)

    def test_an_interrupted_replay_keeps_its_steps(self):
        self.assertEqual(self.run_program(*SIZE, "-o", "s.json").returncode, 0)
        self.assertEqual(self.run_program("plan", "s.json", "--free-mib", "2048", "-o", "p.json").returncode, 0)
        process = subprocess.Popen([PROGRAM, "replay", "p.json", "model.json", "-b", "buckets.json", "--backend", "sim",
                                    "--steps", "1000000", "-o", "r.json"], cwd=self.folder, stderr=subprocess.PIPE)
        for line in process.stderr:
            if b"[4/4]" in line:
                break
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertRegex(err, rb"interrupted after \d+ of 1000000 steps")
        run = json.loads((self.folder / "r.json").read_text())
        self.assertGreater(run["steps"], 0)
        self.assertEqual(run["steps"] + run["steps_left"], 1000000)
        self.assertEqual(run["schema_version"], "1.1")

    def test_sizes_with_times(self):
        for isolate in ["none", "walk"]:
            with self.subTest(isolate=isolate):
                done = self.run_program(*SIZE, "--time", "--isolate", isolate, "-o", "timed.json", "--force")
                self.assertEqual(done.returncode, 0, done.stderr)
                for bucket in json.loads((self.folder / "timed.json").read_text())["pools"][0]["buckets"]:
                    self.assertGreater(bucket["eager_us"]["median"], bucket["replay_us"]["median"])
                self.assertEqual(self.run_program("plan", "timed.json").returncode, 0)

    def on_terminal(self, *arguments, **environment):
        main, other = pty.openpty()
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=other, stderr=other, stdin=other,
                                   env={**os.environ, **environment})
        os.close(other)
        text = b""
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
        os.close(main)
        self.assertEqual(process.wait(timeout=60), 0)
        return text

    def sized(self, *options):
        done = self.run_program(*TWO_WALKS, "-o", "-", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_isolated_walks_measure_what_one_process_does(self):
        together, apart = self.sized(), self.sized("--isolate", "walk")
        for document in (together, apart):
            for bucket in document["pools"][0]["buckets"]:
                # Executables come in pieces that walks of one process share.
                del bucket["outside_bytes"], bucket["trace"]
        self.assertEqual(together["pools"], apart["pools"])
        self.assertEqual(together["free_bytes_before"], apart["free_bytes_before"])
        self.assertEqual([walk["executable"]["held_bytes"] for walk in apart["walks"]], [0] * len(apart["walks"]))

    def test_a_walk_that_breaks_its_context_costs_only_itself(self):
        fault = ("--sim-fault", "capture_run@prefill=poisons")
        self.assertEqual(self.run_program(*TWO_WALKS, "-o", "-", *fault).returncode, 4)
        broken = self.sized("--isolate", "walk", *fault)["pools"][0]["buckets"]
        whole = self.sized("--isolate", "walk")["pools"][0]["buckets"]
        self.assertEqual(len(broken), len(whole))
        for bucket, healthy in zip(broken, whole):
            self.assertEqual(bucket["peak_bytes"], healthy["peak_bytes"])
            if bucket["walk"] == "prefill":
                self.assertIsNone(bucket["graph_bytes"])
                self.assertIn("injected fault", bucket["failure"])
            else:
                self.assertEqual(bucket["graph_bytes"], healthy["graph_bytes"])

    def test_a_walk_that_cannot_run_at_all_is_left_out_loudly(self):
        done = self.run_program(*TWO_WALKS, "-o", "-", "--isolate", "walk", "--sim-fault", "run@prefill=poisons")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"prefill cannot even run eagerly", done.stderr)
        walks = {bucket["walk"] for bucket in json.loads(done.stdout)["pools"][0]["buckets"]}
        self.assertEqual(walks, {"decode"})

    def test_terminal(self):
        self.assertIn(b"\x1b[1mpool llm", self.on_terminal("plan", "costs.json"))
        self.assertNotIn(b"\x1b[1m", self.on_terminal("plan", "costs.json", NO_COLOR="1"))
        self.assertNotIn(b"\x1b[1m", self.on_terminal("plan", "costs.json", "--color", "never"))
        self.assertIn(b"\r\x1b[K[2/4]", self.on_terminal(*SIZE, "-o", "out.json"))

    def completed(self, *words):
        script = 'source <("$GRAPHPLAN" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _graphplan; ' \
                 'printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script, "bash", "graphplan", *words], cwd=self.folder,
                              capture_output=True, timeout=60, check=True, env={**os.environ, "GRAPHPLAN": PROGRAM})
        return done.stdout.decode().split()

    def test_completion(self):
        self.assertEqual(self.completed("pl"), ["plan"])
        self.assertIn("simulate", self.completed(""))
        self.assertEqual(self.completed("plan", "--free"), ["--free-mib"])
        self.assertEqual(self.completed("plan", "--memory-model", "e"), ["exact"])
        self.assertEqual(self.completed("size", "--backend", ""), ["cuda", "sim"])
        self.assertEqual(self.completed("simulate", "trace.j"), ["trace.json"])
        self.assertEqual(self.completed("size", "-b", "buck"), ["buckets.json"])
        self.assertIn("plan", self.completed("schema", ""))

    def test_zsh_completion_is_a_script(self):
        self.assertTrue(self.run_program("completion", "zsh").stdout.startswith(b"#compdef graphplan\n"))


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # exit code 4 wants a machine without a GPU
    unittest.main()
