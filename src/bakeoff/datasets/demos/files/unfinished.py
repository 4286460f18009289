def problems():
    return {f"p{i}": float(i) for i in range(40)}


def quiet(problem, rng):
    return problem + rng.normal()


def loud(problem, rng):
    if problem == 5.0:
        raise ArithmeticError("diverged")
    return problem + 3 * rng.normal()
