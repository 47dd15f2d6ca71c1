# SPDX-License-Identifier: BSD-3-Clause
# A repository of one recipe. Of a release, or of a checkout:
#   spack repo add packaging/spack_repo/cadastre
#   spack install cadastre                     # the tarball lies where a mirror of the site has it
#   spack dev-build cadastre@0.2.0             # this folder, after autogen.sh
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Cadastre(AutotoolsPackage):
    """Registry of memory for numerical libraries: a context holds all the memory of a library, host, pinned,
    device and managed, from any runtime, and every call is checked against it."""

    homepage = "https://example.org/cadastre"
    url = "https://example.org/cadastre/cadastre-0.2.0.tar.gz"

    license("BSD-3-Clause")

    # A release names the sum of its tarball here.
    version("0.2.0")

    variant("shared", default=True, description="Build shared libraries")
    variant("static", default=True, description="Build static libraries")
    variant("fortran", default=True, description="Build the Fortran module")
    variant("command", default=True, description="Build the program cadastre")
    variant("sundials", default=False, description="Build the memory helper for SUNDIALS")
    variant("mpi", default=False, description="Build the report on all ranks of an MPI program")
    variant("cuda", default=True, description="Build the CUDA backend, which opens the runtime when a program runs")
    variant("rocm", default=True, description="Build the HIP backend, which opens the runtime when a program runs")
    variant("openmp", default=False, description="Build the module for the devices of OpenMP, with clang")

    conflicts("~shared~static", msg="there is nothing to build")
    conflicts("%gcc@:9", msg="C++20 is needed")
    conflicts("%clang@:13", msg="C++20 is needed")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11@2:", type="build", when="+command")
    depends_on("nlohmann-json@3.7:", type="build", when="+command")
    depends_on("nlohmann-json@3.7:", type="build", when="+mpi")
    depends_on("zlib-api", when="+command")
    depends_on("zstd@1.4:", when="+command")
    depends_on("sundials@5.8:", when="+sundials")
    depends_on("mpi", when="+mpi")
    depends_on("llvm+clang+libomptarget", when="+openmp")
    depends_on("cmocka@1.1.5:", type="test")

    def configure_args(self):
        spec = self.spec
        args = ["--without-dygraphs", "--without-valgrind"]
        args += self.enable_or_disable("shared")
        args += self.enable_or_disable("static")
        args += self.enable_or_disable("fortran")
        args += self.enable_or_disable("command")
        args += self.with_or_without("zstd", variant="command")
        args += self.with_or_without("mpi")
        # The backends need no toolkit; headers that configure finds are compared with.
        args += ["--without-cuda"] if spec.satisfies("~cuda") else []
        args += ["--without-hip"] if spec.satisfies("~rocm") else []
        if spec.satisfies("+sundials"):
            args.append(f"--with-sundials={spec['sundials'].prefix}")
        else:
            args.append("--without-sundials")
        if spec.satisfies("+mpi"):
            args.append(f"MPICC={spec['mpi'].mpicc}")
            if spec.satisfies("+fortran"):
                args.append(f"MPIFC={spec['mpi'].mpifc}")
        if spec.satisfies("+openmp"):
            args += ["--with-openmp-offload=yes", f"OMPTARGET_CXX={spec['llvm'].prefix.bin}/clang++"]
        else:
            args.append("--without-openmp-offload")
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_command(self):
        if self.spec.satisfies("+command"):
            Executable(self.prefix.bin.cadastre)("info")
