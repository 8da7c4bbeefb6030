"""docs/performance.md as a function of what was measured."""

OWN, BEST, USUAL = "thud, one query", "Pinocchio, at its best", "Pinocchio, as usually written"
INTEGRATOR = "dopri5 equal"  # the adaptive integrator of the aim
BATCH = "thud, batch"
SETS = (", avx512", ", avx2", ", baseline", "")  # how a row of thud may end, widest first; "": the widest there is

TEXT = """# Performance

`make bench` writes this page and its chart from one run on one machine; `docs/performance.json` holds the data. Everything
here depends on the machine, the ratios less than the times: run it on yours.

![Time of one query: thud and its rivals, logarithmic](performance.svg)

## The machine

{machine}

## Aims

{aims}

Ratios are of medians. {fehlberg}

## One query

The question of a control loop: joint-space inertia M, Jacobian J, centroidal momentum A_G, mass, centre of mass and composite
inertia Ic of the Panda, the inverse inertia of four options at its foot, and four effective masses. Everybody gives all of it
in double precision, for the same {postures} random postures; that they agree with thud, to 1e-9 of the largest entry (what
passes through (J M⁻¹ Jᵀ)⁻¹ to 1e-6), is checked before the clock starts. One core, one process, {query_rounds} rounds in
which all take turns of some milliseconds; a batch has the same postures in one call, its set-up included, and its results
stay in the second cache.

{query}

- **thud**: `contact_dynamics` into a workspace, and the four options; a batch by `predict_batch` with one thread. "Masses"
  leaves the matrices out. A single answer stays in the workspace; those of the rivals are gathered in one structure, some 200
  numbers.
- **Pinocchio, at its best**: one pass of `crba` in world axes leaves J, A_G and Ic behind; then our own unrolled
  factorisations, which share what can be shared. This is as much our work as Pinocchio's.
- **Pinocchio, as usually written**: `crba`, `computeJointJacobians`, `ccrba`; Eigen's `llt` and `inverse` give the options, as
  they do for all that follow.
- **MuJoCo**: `mj_kinematics`, `mj_comPos`, `mj_makeM`, `mj_fullM`, `mj_jacSite`, `mj_jacSubtreeCom`, `mj_angmomMat`; it has
  everything but the options.
- **KDL**: `ChainDynParam`, `ChainJntToJacSolver`, `ChainFkSolverPos_recursive`. It has no A_G, centre of mass and Ic: one way
  back over the chain with its `RigidBodyInertia` gives them.
- **DART**: `getMassMatrix`, `getWorldJacobian`, `getCOM`, `getCOMLinearJacobian`. It has no angular momentum and Ic: one way
  back over its bodies gives them.

Models are built once, from the same robot. The rivals are binary packages, as a user gets them (Debian, PyPI), made for any
x86-64 processor, MuJoCo for those with AVX; what calls them is compiled like them, because Eigen's alignment would differ
otherwise. thud is compiled for any x86-64 too, but has kernels for AVX2 and AVX-512 beside and chooses at run time: an
advantage over a binary package that it would not have over the same rival compiled for the machine.

### Compiled for this machine

Pinocchio can be compiled from its headers with `-march=native`, and so use all instructions. The same query,
{native_rounds} rounds:

{native}

The others would have to be built from their sources for that, which we have not done.

### Where a rival is ahead

Who needs one matrix need not pay for the query, and large robots are another matter. thud's whole query against Pinocchio's
(`crba` in world axes, its Cholesky that knows branches, Eigen for the rest), and against its M alone and J alone; random
robots, {parts_rounds} rounds:

{parts}

{ahead}

### More cores

A batch of {many} postures by one thread and by one per core; 1 is perfect. Everything of so many is some 100 MB: memory, not the
kernel, then sets the time.

{scaling}

### Large robots in batches

What a batch does with a posture of an arm that is no chain of 6 or 7 joints: passes over its joints, whose work grows with the cube of their number, or a walk, whose work grows with it. thud takes the walk where it
is no slower within 2 %, for chains and trees: from 10 joints on with AVX-512, 12 with AVX2, 13 without, and for everything of arms at rest from 20 or 22 on. (With rates, everything goes through the passes.) A walk is set up in each call, in
2 to 4 µs for masses of 12 to 24 joints, so that few postures of these arms go through the passes too: fewer than 256 (counted in whole packs) of the smallest arms that are walked, 128 with a joint more, 85 with two. (Of 10 joints,
which this run left out, a chain took 0.99 of the passes' time and a tree 0.79 in nine rounds on a busy machine.) Chains and trees of boxes, a tree
with a branch at every third joint; {walk_postures} postures, one thread, the arrays in the caches, {walk_rounds} rounds{walk_note}. ns a posture with {walk_set}, and the walk's share of the passes' time with other instructions.

{walk}

## One impact with friction

The Panda's foot hits a wall with friction 0.3 and restitution 0.3; {impact_cases} random postures and rates, {impact_rounds} rounds.
`impact` takes the matrix W and the velocity of the point, and gives impulse, velocity after and phases; "query" begins with joint
positions and rates. ProxSuite's QP has the impulse in a pyramid of four sides around the cone and at e = 0, as simulators
that step in time do: a simpler question, whose answer is another where the point slides. Where the point is held (no slip,
friction that sticks), all have one answer, which is checked first: Pinocchio's `impulseDynamics` differs from thud's by at most
{impact_pinocchio}, ProxSuite by {impact_proxsuite}.

{impact}

A round goes through all cases: the table has what one takes in the mean. Of single cases: median {impact_median} us, nine in ten below {impact_p90} us, the longest {impact_max} us.

## One fit

The viscoelastic law fitted to 250 samples (25 kHz, 1 % noise; stiffness, damping, mass and start free), {records} records,
{fit_rounds} rounds in turns of {turn}. thud has no starting guess and reports intervals; Ceres (RK4 between the samples,
automatic derivatives, dense QR) and SciPy (`least_squares` over `solve_ivp`) start 20 % off. Parameters differ from thud's by
at most {differences} standard errors. Where a record leaves the shape of the force loose, thud goes through all shapes, which
the others do not: see 90 %.{fit_note}

{fit}

## One force profile

A viscoelastic impact with its events (peak, end of compression, end of contact, end of force), d = c|v₀|/k;
{profile_rounds} rounds, {fewest_rounds} at the largest d. Boost.Odeint's Dormand-Prince 5 with dense output and Runge-Kutta-Fehlberg 7(8),
each at the coarsest tolerance whose events are as accurate as thud's, or at its most accurate. In brackets, how many times
thud's.

{profile}

{elastic}## A loop of 1 kHz

{latency_text}

{latency}

Lateness is how long after its instant a cycle began: the operating system's doing. After the warm-up: {allocations}
allocations, {page_faults} page faults.
"""


def number(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.3g}"


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def by_median(rivals):
    return sorted(rivals.items(), key=lambda item: item[1]["median_ns"])


def widest(data):
    """How the rows of thud end that use the instructions it takes by itself."""
    return next(end for end in SETS if OWN + end in data["query"]["rivals"])


def batch_aim(name, data):
    """The most that a batch may take of Pinocchio at its best, by the instructions it uses; None where there is no aim."""
    has = data["machine"]["instruction_sets"]
    if name.endswith("baseline") or "avx2" not in has:
        return None
    return ("AVX2", 0.14) if name.endswith("avx2") or "avx512f" not in has else ("AVX-512", 0.10)


def aims(data):
    """(what, found, reached) of each."""
    query = data["query"]["rivals"]
    own = query[OWN + widest(data)]
    out = [(f"one query at most 0.45 of {BEST}", own["of_best"], own["of_best"] <= 0.45),
           (f"one query at most 0.25 of {USUAL}", own["of_usual"], own["of_usual"] <= 0.25)]
    for name, row in by_median(query):
        if name.startswith(BATCH) and (aim := batch_aim(name, data)):
            sets, most = aim
            what = name.removeprefix("thud, ").split(",")[0]
            out.append((f"{what}, a posture on one core with {sets} at most {most:.2f} of {BEST}",
                        row["of_best"], row["of_best"] <= most))
    for name in ("masses", "everything"):
        scaling = data["parts"]["scaling"][name]["scaling"]
        out.append((f"batch of {name}: scaling over cores at least 0.9", scaling, scaling >= 0.9))
    for figure in data["fit"]["figures"]:
        out.append((f"fit: {figure['figure']}", figure["value"], figure["reached"]))
    goal = data["profile"]["goal_ratio"]
    for impact in data["profile"]["impacts"]:
        ratio = impact["events"][INTEGRATOR]["ratio"]
        out.append((f"profile with events at d = {impact['d']:g}: at least {goal:g} times faster than Dormand-Prince 5 at "
                    "equal accuracy", ratio, ratio >= goal))
    for what, goal in data.get("elastic", {"goals": {}})["goals"].items():
        out.append((f"elastic arm: {what}", goal["value"], goal["reached"]))
    for what, goal in data["impact"]["goals"].items():
        out.append((f"impact with friction: {what}", goal["value"], goal["reached"]))
    for key in ("allocations", "page_faults"):
        count = data["latency"][key]
        out.append((f"loop of 1 kHz: no {key.replace('_', ' ')} after the warm-up", count, count == 0))
    return out


def machine(data):
    m = data["machine"]
    kind = "virtual machine, " if m["virtual"] else ""
    lines = [f"{m['processor']} ({kind}{m['family']}), {m['cores']} cores; {', '.join(m['instruction_sets'])}",
             f"{m['system']}; {m['compiler']}",
             "; ".join(f"{what}: `{flags}`" for what, flags in m["flags"].items()),
             ", ".join(f"{name} {version}" for name, version in m["versions"].items()),
             f"{data['date']}; other programs kept {m['others_busy']:.2f} cores busy meanwhile"
             + (", so that these numbers are worth little" if m["others_busy"] > 0.2 else "")]
    return "\n".join(f"- {line}" for line in lines)


def query_table(data):
    rivals = data["query"]["rivals"]
    own = rivals[OWN + widest(data)]
    return table(["ns a query", "median", "min", "of thud's one query", "of Pinocchio, best", "of Pinocchio, usual"],
                 [[name, number(row["median_ns"]), number(row["min_ns"]), number(row["median_ns"] / own["median_ns"]),
                   number(row["of_best"]), number(row["of_usual"])] for name, row in by_median(rivals)])


def native_table(data):
    package = {**data["query"]["rivals"], OWN: data["query"]["rivals"][OWN + widest(data)]}
    return table(["ns a query", "median", "min", "of thud's one query", "as binary package, median"],
                 [[name, *(number(row[key]) for key in ("median_ns", "min_ns", "ratio")), number(package[name]["median_ns"])]
                  for name, row in by_median(data["native"]["rivals"])])


def parts_table(data):
    return table(["ns", "median", "min", "of thud's whole query"],
                 [[f"{robot['robot']}: {name}", number(row["median_ns"]), number(row["min_ns"]), number(row["ratio"])]
                  for robot in data["parts"]["robots"] for name, row in by_median(robot["rivals"])])


def ahead(data):
    """Every case in which somebody takes less time than thud: its single query, or its fits that take long."""
    own = data["query"]["rivals"][OWN + widest(data)]["median_ns"]
    cases = [(name, row["median_ns"] / own) for name, row in by_median(data["query"]["rivals"])]
    cases += [(f"{name}, compiled for the machine", row["ratio"]) for name, row in by_median(data["native"]["rivals"])]
    cases += [(f"{name}, {robot['robot']}", row["ratio"])
              for robot in data["parts"]["robots"] for name, row in by_median(robot["rivals"])]
    impacts = data["impact"]["rivals"]
    cases += [(f"{name}, an impact", impacts[name]["median_us"] / impacts[same]["median_us"])
              for name, same in (("ProxSuite", "impact"), ("ProxSuite, held", "held"), ("Pinocchio, held", "query, held"))]
    fits = data["fit"]["fit_250_samples"]
    cases += [(f"{name}, what nine fits in ten stay below", row["p90_us"] / fits["thud"]["p90_us"])
              for name, row in fits.items()]
    found = [f"- {name}: {number(ratio)} of thud's time" for name, ratio in cases
             if ratio < 1 and not name.startswith("thud")]
    return "\n".join(["Ahead of thud, on this whole page:", "", *found]) if found else "Nobody on this page is ahead of thud."


def fehlberg(data):
    goal, impacts = data["profile"]["goal_ratio"], data["profile"]["impacts"]
    reached = [impact for impact in impacts if impact["events"]["fehlberg78 equal"]["ratio"] >= goal]
    return (f"The aim of the profile names the integrator that Odeint's documentation recommends; against its Fehlberg 7(8), "
            f"{len(reached)} of {len(impacts)} reach {goal:g}.")


def impact_table(data):
    return table(["us an impact", "median", "least", "of impact"],
                 [[name, number(row["median_us"]), number(row["least_us"]), number(row["ratio"])]
                  for name, row in data["impact"]["rivals"].items()])


def scaling_table(data):
    scaling = data["parts"]["scaling"]
    return table(["ns a posture, min", "one core", f"{scaling['cores']} cores", "scaling"],
                 [[name, *(number(scaling[name][key]) for key in ("one_core_ns", "all_cores_ns", "scaling"))]
                  for name in ("masses", "everything")])


def walk_table(data):
    of = {(row["set"], row["robot"], row["everything"]): row for row in data["walk"]["robots"]}
    *others, best = dict.fromkeys(row["set"] for row in data["walk"]["robots"])
    parts = [(what, everything) for what, everything in (("masses", False), ("everything", True))]
    return table(["median", *(f"{what}: {way}" for what, _ in parts for way in ("passes", "walk", *others))],
                 [[name, *(number(cell) for _, everything in parts for cell in
                           (*(of[best, name, everything][way] for way in ("passes_ns", "walk_ns")),
                            *(of[each, name, everything]["ratio"] for each in others)))]
                  for name in dict.fromkeys(row["robot"] for row in data["walk"]["robots"])])


def fit_table(data):
    return table(["us a fit", "median", "min", "90 %", "of thud, median", "of thud, min"],
                 [[name, *(number(row[key]) for key in ("median_us", "min_us", "p90_us", "ratio", "ratio_of_min"))]
                  for name, row in data["fit"]["fit_250_samples"].items()])


def profile_table(data):
    names = {"thud": "thud", "thud, new law": "thud, law made anew", INTEGRATOR: "Dormand-Prince 5",
             "fehlberg78 equal": "Fehlberg 7(8)"}
    rows = []
    for what, title in (("events", "events"), ("with_250_samples", "events and 250 samples")):
        for impact in data["profile"]["impacts"]:
            found = impact[what]
            cells = [number(1e3 * found[name]["median_us"]) for name in names]
            for i, name in enumerate(names):
                if not name.startswith("thud"):
                    cells[i] += f" ({number(found[name]['ratio'])})"
            rows.append([f"d = {impact['d']:g}, {title}", *cells])
    return table(["ns a profile, median", *names.values()], rows)


def latency_table(data):
    return table(["us", "p50", "p99", "p99.99", "max"],
                 [[name, *(number(data["latency"][name][key]) for key in ("p50_us", "p99_us", "p99_99_us", "max_us"))]
                  for name in ("work", "lateness")])


def latency_text(data):
    latency = data["latency"]
    return ("Every millisecond: contact dynamics of the Panda at a posture that moves, four options with impulses and joint "
            f"jumps, and a viscoelastic profile with its events. {latency['cycles']} cycles; memory "
            f"{'locked' if latency['memory_locked'] else 'not locked'}, {latency['scheduler']}.")


ELASTIC = """## One hit of an arm with elastic joints

The Panda with motors, transmissions, servo and limits of the motors hits a viscoelastic wall at 0.12 m/s; 15 ms with every event,
{rounds} rounds. Force errors against Dormand-Prince 5 at 1e-14: thud {error}. Dormand-Prince 5 on the same equations, without
events, at the coarsest tolerance that is as accurate; MuJoCo's plant of the virtual lab over the same 15 ms at its step of 20 us; and the
whole trial of the lab that gives such a record.

{table}

"""


def elastic(data):
    """The section; empty for figures that were measured before it existed."""
    if "elastic" not in data:
        return ""
    found = data["elastic"]
    rows = [[name, number(row["median_us"]), number(row["least_us"]), number(row["ratio"])] for name, row in found["rivals"].items()]
    return ELASTIC.format(rounds=found["rounds"], error=f"{found['force_error']:.1e}",
                          table=table(["us a hit", "median", "least", "of the record"], rows))


def page(data):
    verdicts = table(["aim", "found", ""], [[what, number(found), "reached" if reached else "**not reached**"]
                                            for what, found, reached in aims(data)])
    fit, profile = data["fit"], data["profile"]
    return TEXT.format(
        machine=machine(data), aims=verdicts, fehlberg=fehlberg(data), query=query_table(data), postures=data["query"]["postures"],
        query_rounds=data["query"]["rounds"], native=native_table(data), native_rounds=data["native"]["rounds"],
        parts=parts_table(data), parts_rounds=data["parts"]["rounds"], ahead=ahead(data),
        many=data["parts"]["scaling"]["postures"], scaling=scaling_table(data),
        walk=walk_table(data), walk_set=data["walk"]["robots"][-1]["set"], walk_note=data["walk"].get("note", ""), walk_rounds=data["walk"]["rounds"], walk_postures=data["walk"]["postures"],
        impact=impact_table(data), impact_cases=data["impact"]["cases"], impact_rounds=data["impact"]["rounds"],
        impact_pinocchio=f"{data['impact']['differences']['Pinocchio']:.0e}",
        impact_proxsuite=f"{data['impact']['differences']['ProxSuite']:.0e}",
        **{f"impact_{name}": number(data["impact"]["of_cases"][f"{name}_us"]) for name in ("median", "p90", "max")},
        fit=fit_table(data), records=fit["records"], fit_note=data["fit"].get("note", ""), fit_rounds=fit["rounds"], turn=fit["turn"],
        differences=" and ".join(f"{number(value)} ({name})" for name, value in fit["differences"].items()),
        profile=profile_table(data), profile_rounds=profile["rounds"], fewest_rounds=profile["impacts"][-1]["rounds"],
        elastic=elastic(data),
        latency_text=latency_text(data), latency=latency_table(data), allocations=data["latency"]["allocations"],
        page_faults=data["latency"]["page_faults"])
