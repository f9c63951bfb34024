"""Names of people, companies and telephone numbers for scenarios."""

from __future__ import annotations

import unicodedata
from random import Random

FIRST_NAMES = (
    "Lucía", "Martín", "Sofía", "Hugo", "Julia", "Mateo", "Paula", "Daniel", "Carmen", "Pablo", "Alba", "Álvaro",
    "Irene", "Adrián", "Nuria", "Javier", "Elena", "Íñigo", "Rocío", "Sergio", "Noa", "Iker", "Marta", "Diego",
    "Aitana", "Rubén", "Laia", "Jordi", "Ainhoa", "Unai", "Xoán", "Uxía", "Montserrat", "Andreu", "Begoña", "Gorka",
    "Inés", "João", "Chloé", "Matteo", "Anneliese", "Jürgen", "Zofia", "Søren", "Maëlle", "Bence", "Ștefan", "Zeynep",
)  # fmt: skip

LAST_NAMES = (
    "García", "Moreno", "Jiménez", "Ruiz", "Hernández", "Díaz", "Muñoz", "Álvarez", "Romero", "Alonso", "Gutiérrez",
    "Navarro", "Domínguez", "Vázquez", "Ramos", "Gil", "Serrano", "Blanco", "Molina", "Ortega", "Delgado", "Castro",
    "Ortiz", "Rubio", "Marín", "Sanz", "Iglesias", "Medina", "Garrido", "Santos", "Castillo", "Cortés", "Lozano",
    "Guerrero", "Cano", "Prieto", "Méndez", "Calvo", "Gallego", "Vidal", "Peña", "Etxeberria", "Puigdemont", "Soler",
    "Ferrer", "Lindqvist", "Kowalska", "Rossi", "Dubois", "Schäfer", "van Dijk", "O'Connor", "Nagy", "Pereira",
)  # fmt: skip

PLACES = (
    "Madrid", "Barcelona", "Sevilla", "Valencia", "Bilbao", "Zaragoza", "Málaga", "A Coruña", "Vigo", "Gijón",
    "Palma", "Cádiz", "Lisboa", "Porto", "Toulouse", "Milano", "Kraków", "München", "Lyon", "Gent",
)  # fmt: skip

TEAMS = (
    "Front desk", "Night shift", "Billing", "Claims", "Roadside help", "Deliveries", "Returns", "Fibre installs",
    "Bookings", "Retention", "Second line", "Field crew", "Warehouse", "Key accounts", "Emergency rota", "Translators",
)  # fmt: skip

SUBJECTS = (
    "Invoice shows a double charge", "Router keeps restarting", "Wants to move the delivery", "Cannot log in",
    "Question about the tariff", "Parcel arrived open", "Change of address", "Line is dead since this morning",
    "Refund not received", "Wants a call-back after six", "Appointment for a technician", "Voicemail does not record",
    "Card was declined", "New contract for a second home", "Noise on the line", "Complaint about the waiting time",
)  # fmt: skip

NOTES = (
    "Back at 16:30", "In training until noon", "Covering for the Bilbao team", "Only urgent calls, please",
    "On the second floor today", "Working from home", "Lunch", "Ask me about fibre installs",
)  # fmt: skip

MEETINGS = (
    "Shift plan", "Weekly review", "Handover", "Complaints of the week", "New tariff", "Hiring round", "Fibre rollout",
    "Key accounts", "Training", "Audit", "Carrier talks", "Quality circle",
)  # fmt: skip

SERVICES = (
    "Reception", "Porter", "Help desk", "Control room", "Canteen", "Car pool", "First aid", "Night watch",
    "Works council", "Post room", "Travel office", "Payroll",
)  # fmt: skip

COMPANIES = (
    "Talleres Luna", "Transportes Ebro", "Gráficas Sol", "Papelería Norte", "Clínica Alameda", "Farmacia Central",
    "Electricidad Vega", "Hotel Mirador", "Autocares Sierra", "Notaría Prado", "Seguros Faro", "Bodega Duero",
    "Fontanería Río", "Cerrajería Puente", "Imprenta Goya", "Mudanzas Tajo",
)  # fmt: skip

COMPANY_DOMAINS = ("ebro.example", "luna.example", "mirador.example", "vega.example", "faro.example")

PHONEBOOKS = (
    "Couriers", "Hospitals", "Technicians", "Hotels", "Authorities", "Carriers", "Press", "Landlords",
)  # fmt: skip

LANDLINE_AREAS = ("91", "93", "95", "96", "94", "976", "952", "981", "986", "985", "971", "956")
FOREIGN = ("+351 21", "+33 5", "+39 02", "+48 12", "+49 89", "+32 9")


def full_name(rng: Random) -> tuple[str, str]:
    """Return a random first and last name; sometimes with two family names, as in Spain."""
    last = rng.choice(LAST_NAMES)
    if rng.random() < 0.2:
        last = f"{last} {rng.choice(LAST_NAMES)}"
    return rng.choice(FIRST_NAMES), last


def username(first: str, last: str) -> str:
    """Build a user name from a person's name: ASCII, lower case, first name and first family name."""
    plain = unicodedata.normalize("NFKD", f"{first}.{last.split()[0]}").encode("ascii", "ignore").decode().lower()
    return "".join(value for value in plain if value.isalnum() or value == ".")


def landline(rng: Random) -> str:
    """Return a random Spanish landline number in E.164."""
    area = rng.choice(LANDLINE_AREAS)
    return f"+34{area}" + "".join(rng.choice("0123456789") for _ in range(9 - len(area)))


def mobile(rng: Random) -> str:
    """Return a random Spanish mobile number in E.164."""
    return f"+346{rng.randrange(10**8):08d}"


def outside_number(rng: Random) -> str:
    """Return a random number outside the platform: mostly Spanish landlines."""
    chance = rng.random()
    if chance < 0.7:
        return landline(rng)
    if chance < 0.93:
        return mobile(rng)
    return f"{rng.choice(FOREIGN).replace(' ', '')}{rng.randrange(10**7):07d}"
