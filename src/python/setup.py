# SPDX-License-Identifier: BSD-3-Clause
"""Builds the package against the libcadastre that pkg-config finds."""

import glob
import os
import shlex
import subprocess

import pybind11
from setuptools import Extension, setup


def pkg_config(*arguments):
    command = [os.environ.get("PKG_CONFIG", "pkg-config"), *arguments, "cadastre"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        raise SystemExit(f"there is no {command[0]}, which finds libcadastre") from None
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"pkg-config finds no libcadastre; install Cadastre, and name the folder of cadastre.pc in PKG_CONFIG_PATH\n{error.stderr}") from None


flags = shlex.split(pkg_config("--cflags"))
libraries = shlex.split(pkg_config("--libs"))
folder = pkg_config("--variable=libdir")
common = {
    "extra_compile_args": ["-std=c++17", "-fvisibility=hidden", *flags],
    "extra_link_args": [*libraries, f"-Wl,-rpath,{folder}"],
    "language": "c++",
}
setup(
    version=pkg_config("--modversion"),
    packages=["cadastre"],
    package_data={"cadastre": ["py.typed", "*.pyi"]},
    ext_modules=[
        Extension(
            "cadastre._cadastre",
            sources=["package.cpp"],
            include_dirs=[pybind11.get_include()],
            depends=sorted(glob.glob("*.[ch]pp")),
            **common,
        ),
        # No module of Python: what PyTorch opens, and CuPy calls.
        Extension("cadastre._allocators", sources=["allocators.cpp", "vendors.cpp"], **common),
    ],
)
