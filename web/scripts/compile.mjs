// Compiles the Python modules of a zip with the Python of the browser edition, so that no visitor has to:
// node scripts/compile.mjs SOURCES.zip COMPILED.zip [NAME…] leaves out the packages and modules of these names.
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [source, target, ...without] = process.argv.slice(2);
const python = await loadPyodide();
python.FS.writeFile("/source.zip", readFileSync(source));
python.globals.set("without", python.toPy(without));
python.runPython(`
import ast
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash

def without_docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), node.body[0])]
    return tree

EPOCH = (1980, 1, 1, 0, 0, 0)  # the same bytes for the same files
left_out = tuple(f"{name}{end}" for name in without for end in ("/", ".py"))
with zipfile.ZipFile("/source.zip") as found, zipfile.ZipFile("/compiled.zip", "w", zipfile.ZIP_DEFLATED) as made:
    for name in found.namelist():
        if name.startswith(left_out):
            continue
        content = found.read(name)
        if name.endswith(".py"):
            code = compile(without_docstrings(ast.parse(content)), name, "exec", dont_inherit=True)
            name, content = name + "c", bytes(_code_to_hash_pyc(code, source_hash(content), False))
        made.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
`);
writeFileSync(target, python.FS.readFile("/compiled.zip"));
