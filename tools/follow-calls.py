# SPDX-License-Identifier: BSD-3-Clause
"""Follows calls of a program instruction by instruction, under gdb, for tools/measures.

The program calls mark_the_next() before a call that is to be followed. From the entry of ENTRY on, each call is put on
a stack, functions that the compiler put in place included, and so are those that it jumps to instead of calling. The
stack is printed as it was when one of VENDOR's functions was called, or where it was deepest when none was, one frame a
line from the outside in: whether it is a call of its own or in place, file, line, function. Frames of other files than
those of src, include and tests are left out.

gdb -batch -nx -ex "python entry = 'NAME'; vendor = {'NAME', ...}" -x tools/follow-calls.py PROGRAM
"""

import re

import gdb

MOST_STEPS = 400000


def run(command):
    return gdb.execute(command, to_string=True)


def chain(pc):
    """What is at an address, the innermost last: file, line, function, whether it is in place in the one before."""
    symbols, block = [], gdb.block_for_pc(pc)
    while block is not None and not block.is_static and not block.is_global:
        if block.function is not None:
            symbols.append(block.function)
        block = block.superblock
    symbols.reverse()
    # gdb has where a function in place is called, which is in the one around it.
    here = gdb.find_pc_line(pc)
    places = [(symbol.symtab.filename, symbol.line) for symbol in symbols[1:]]
    places.append((here.symtab.filename if here.symtab else "", here.line))
    return [(file, line, symbol.name, symbol is not symbols[0]) for (file, line), symbol in zip(places, symbols)
            if re.search(r"(^|/)(src|include|tests)/", file) and not file.startswith("/usr/")]


def function_at(pc):
    """The first address of the function in the machine's sense, and its name: of places without debugging information, too."""
    text = run("info symbol %d" % pc)
    if text.startswith("No symbol"):
        return ""
    return text.split(" in section ")[0].split(" + ")[0].strip()


def returns_to():
    """Where a function returns to, in its first instruction."""
    return int(gdb.parse_and_eval("*(unsigned long*) $sp"))


def follow():
    for each in ("confirm off", "pagination off", "breakpoint pending on", "width 0"):
        run("set " + each)
    run("break mark_the_next")
    run("run")
    if not gdb.selected_inferior().threads():
        print("follow-calls: the program ended before it called mark_the_next()")
        return
    run("finish")
    # The call itself: from its first instruction on.
    run("tbreak *(long) &" + entry)
    run("continue")
    for each in vendor:
        run("break " + each)
    architecture = gdb.selected_frame().architecture()
    pc, end = gdb.selected_frame().pc(), returns_to()
    library = gdb.solib_name(pc)
    frames = [[function_at(pc), chain(pc), False]]  # name, what is there, whether it was jumped to
    deepest, depth, reached, steps = [], 0, "", 0
    while steps < MOST_STEPS:
        steps += 1
        name = function_at(pc).split("(")[0]
        if name in vendor:
            reached = name
            break
        if gdb.solib_name(pc) != library:
            # What is not the library's is not followed, unless it leads to the vendor.
            back = returns_to()
            run("tbreak *%d" % back)
            run("continue")
            mnemonic = "ret"
        else:
            now = chain(pc)
            if now:
                frames[-1][1] = now
                total = sum(len(each[1]) for each in frames)
                if total > depth:
                    deepest, depth = [list(each[1]) for each in frames], total
            text = [word for word in architecture.disassemble(pc)[0]["asm"].split() if word not in ("bnd", "notrack", "rep", "repz")]
            mnemonic = text[0]
            run("stepi")
        before = function_at(pc)
        pc = gdb.selected_frame().pc()
        if pc == end:
            break
        if mnemonic.startswith("ret"):
            while len(frames) > 1 and frames.pop()[2]:
                pass
        elif mnemonic.startswith("call"):
            frames.append([function_at(pc), chain(pc), False])
        elif mnemonic == "jmp":
            # A function's rare part lies elsewhere, under a name with an end to it.
            name = function_at(pc)
            if re.sub(r"\.cold.*| \[clone.*", "", name) != re.sub(r"\.cold.*| \[clone.*", "", before):
                frames.append([name, chain(pc), True])
    if reached:
        deepest = [each[1] for each in frames]
    for each in deepest:
        for file, line, name, in_place in each:
            print("frame\t%s\t%s\t%d\t%s" % ("in place" if in_place else "called", file, line, name))
    print("end\t%s\t%d" % (reached, steps))


follow()
run("kill")
