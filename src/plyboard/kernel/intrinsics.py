"""The machine instructions that replace primitives in compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic

WORD = ir.IntType(64)
SLOW_WITH_BMI2 = ("znver1", "znver2")  # PDEP and PEXT are slow microcode there


@intrinsic
def count(_context: Any, word: Any) -> Any:
    """Count the bits that are set."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def lowest(_context: Any, word: Any) -> Any:
    """Return the index of the lowest bit that is set; 64 if there is none."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def number(_context: Any, word: Any) -> Any:
    """Return a word as a signed integer."""

    def generate(_target: Any, _builder: Any, _signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return types.int64(types.uint64), generate


@intrinsic
def nth(_context: Any, word: Any, index: Any) -> Any:
    """Return the position of the set bit with this many set bits below it."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        single = builder.shl(ir.Constant(WORD, 1), arguments[1])
        placed = _call(builder, "llvm.x86.bmi.pdep.64", single, arguments[0])
        return builder.cttz(placed, ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64, types.int64), generate


@intrinsic
def gather(_context: Any, word: Any, places: Any) -> Any:
    """Return the bits of a word at these places, packed from bit 0 on (PEXT)."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _call(builder, "llvm.x86.bmi.pext.64", *arguments)

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def word_at(_context: Any, words: Any, index: Any) -> Any:
    """Return the word of a tuple at an index."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_place_of(builder, *arguments))

    return types.uint64(words, types.int64), generate


@intrinsic
def with_word(_context: Any, words: Any, index: Any, word: Any) -> Any:
    """Return a tuple of words with another word at an index."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        *there, new = arguments
        place = _place_of(builder, *there)
        builder.store(new, place)
        return builder.load(place.operands[0])

    return words(words, types.int64, types.uint64), generate


@intrinsic
def fetch(_context: Any, array: Any, index: Any) -> Any:
    """Prefetch an element of an array into the processor's cache."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        data = target.make_array(kind)(target, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), flag, flag, flag])
        touch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], fnty=shape)
        builder.call(
            touch, [place, ir.Constant(flag, 0), ir.Constant(flag, 3), ir.Constant(flag, 1)]
        )
        return target.get_dummy_value()

    return types.void(array, types.int64), generate


@intrinsic
def work(_context: Any, units: Any) -> Any:
    """Do nothing: only plain Python counts its work."""

    def generate(target: Any, _builder: Any, _signature: Any, _arguments: Any) -> Any:
        return target.get_dummy_value()

    return types.void(types.int64), generate


def _place_of(builder: Any, words: Any, index: Any) -> Any:
    """Return the address of a word in a copy of a tuple on the stack."""
    allocate: Any = cgutils.alloca_once_value
    copy = allocate(builder, words)
    return builder.gep(copy, [ir.Constant(WORD, 0), index])


def _call(builder: Any, name: str, first: Any, second: Any) -> Any:
    kind = ir.FunctionType(WORD, [WORD, WORD])
    return builder.call(builder.module.declare_intrinsic(name, fnty=kind), [first, second])


def _instructions() -> dict[str, Any]:
    """Return the instructions of the target processor; others are compiled from Python."""
    known: dict[str, Any] = {
        "count": count, "fetch": fetch, "lowest": lowest, "number": number, "with_word": with_word,
        "word_at": word_at, "work": work,
    }  # fmt: skip
    codegen = cpu_target.target_context.codegen()
    features, processor = codegen._tm_features.split(","), codegen.magic_tuple()[1]
    if "+bmi2" in features and processor not in SLOW_WITH_BMI2:
        known |= {"nth": nth, "gather": gather}
    return known


BY_NAME = _instructions()
