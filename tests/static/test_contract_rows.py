from __future__ import annotations

from console.api.annotations import InputPlace, Variant
from console.api.catalogue import catalogue
from console.api.inputs import Input
from tests.contract.notation import ContractInput, read_inputs
from tests.contract.rows import COUNT, Operation, Row, rows


def test_every_row_of_the_contract_has_its_operations_and_every_operation_a_row():
    assert len(rows()) == COUNT
    operations = [each.request for row in rows() for each in row.operations]
    assert len(operations) == len(set(operations))
    assert set(operations) == {each for each in catalogue().values() if not each.operation.is_extension}


def test_every_operation_has_a_description_and_is_named_resource_and_verb():
    for name, request in catalogue().items():
        assert request.operation.title, name
        assert name.count(".") == 1, name
        assert name == name.lower(), name


def test_operations_are_in_the_contracts_order_whatever_the_import_order():
    operations = [request.operation for request in catalogue().values()]
    sections = [each.section for each in operations if not each.is_extension]
    assert sections == sorted(sections)
    assert all(each.is_extension for each in operations[len(sections) :]), "extensions come last"


def test_every_operation_accepts_the_contracts_inputs_with_its_own_names():
    wrong = [fault for row in rows() for each in row.operations for fault in faults(row, each)]
    assert not wrong, "\n".join(wrong)


def test_every_operation_is_refused_in_the_contracts_format():
    for row in rows():
        for each in row.operations:
            shapes = {variant: each.request.operation.refuses_with(variant) for variant in Variant}
            assert shapes == row.errors, each.request.operation.name


def faults(row: Row, operation: Operation) -> list[str]:
    """Compare an operation's declaration with the contract and the row's list of extensions."""
    name = operation.request.operation.name
    declared = {(each.travels, each.place): each for each in operation.request.inputs()}
    ours = {(each.name, each.place): each for extension in row.inputs_of_ours for each in read_inputs(extension.what)}
    wanted = {(each.name, each.place): each for each in operation.inputs} | ours
    found = [f"{name}: {each[0]} is missing" for each in wanted.keys() - declared.keys()]
    found += [f"{name}: {each[0]} is not the contract's" for each in declared.keys() - wanted.keys()]
    for key in wanted.keys() & declared.keys():
        found += [f"{name}: {key[0]} {fault}" for fault in _differences(operation, wanted[key], declared[key])]
    return found


def _differences(operation: Operation, wanted: ContractInput, declared: Input) -> list[str]:
    whole = operation.request.operation.variant
    found: list[str] = []
    if declared.variant is not wanted.variant:
        found.append(f"is declared for {declared.variant}, not {wanted.variant}")
    for variant in Variant:
        if whole not in {None, variant} or wanted.variant not in {None, variant}:
            continue
        required = variant in wanted.required and not wanted.instead
        if declared.required_in(variant) is not required:
            found.append(f"is {'not ' if required else ''}required in the {variant.value} variant")
    return found


def test_an_input_that_is_the_whole_body_is_the_only_one():
    for request in catalogue().values():
        places = [each.place for each in request.inputs()]
        assert InputPlace.WHOLE_BODY not in places or InputPlace.BODY not in places, request.operation.name
