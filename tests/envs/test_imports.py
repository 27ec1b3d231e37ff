"""What importing the environments loads: in a fresh process, neither the server's packages nor MuJoCo."""

import subprocess
import sys

import pytest

from ludotheque.extras import line_that_adds

pytestmark = pytest.mark.slow  # each starts a process
HEAVY = ("fastapi", "sqlalchemy", "uvicorn", "picows", "alembic", "pydantic", "typer", "rich", "mujoco", "torch", "ray")
SHOW = f"import sys; print(*[name for name in {HEAVY} if name in sys.modules])"


def loaded(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", f"{script}\n{SHOW}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_environments_load_nothing_of_the_servers() -> None:
    play = "batch = envs.Batch(find_game('yam-master'), 2); batch.masks(); batch.observe()"
    script = f"from ludotheque import envs; from ludotheque.core import find_game; {play}"
    assert loaded(script + "; import ludotheque.envs.seated, ludotheque.envs.text") == ""


@pytest.mark.parametrize(
    ("module", "library"), [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("openspiel", "pyspiel")]
)
def test_an_adapter_loads_nothing_of_the_servers_either(module: str, library: str) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed: make test-envs installs it")
    own = loaded(f"import {library}").split()  # what the peer itself brings
    assert set(loaded(f"import ludotheque.envs.{module}").split()) <= set(own)


@pytest.mark.parametrize("module", ["pettingzoo", "gymnasium", "openspiel"])
def test_without_the_library_a_sentence_says_what_to_install(module: str) -> None:
    blocked = "import sys\nfor name in ('pettingzoo', 'gymnasium', 'pyspiel'): sys.modules[name] = None\n"
    told = loaded(
        f"{blocked}try:\n    import ludotheque.envs.{module}\nexcept ImportError as error:\n    print(error)\n"
    )
    assert line_that_adds("envs") in told


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    from ludotheque import envs  # noqa: PLC0415

    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = envs.Nothing
