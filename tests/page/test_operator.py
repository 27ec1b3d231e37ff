"""What the page shows of the operator: notices, read-only mode and bans; and how players report a name."""

from playwright.sync_api import expect

from page.site import People, Site, open_table
from server.admins import Admin


def test_players_report_a_name_and_read_what_the_operator_says(people: People, site: Site) -> None:
    admin = Admin(f"sqlite:///{site.folder / 'tables.db'}")
    table, _ = open_table(site, "yam-master", seats=[{"kind": "open"}, {"kind": "open"}])
    anna = people.come(f"/t/{table}", name="Anna")
    rude = people.come(f"/t/{table}", name="Rude", language="fr-FR")
    anna.get_by_role("button", name="Sit here").first.click()
    rude.get_by_role("button", name="S’asseoir ici").first.click()
    anna.get_by_role("button", name="Report the name of Rude").click()
    anna.get_by_role("group", name="Report the name “Rude” to the operator").get_by_role("button", name="Yes").click()
    expect(anna.get_by_text("Thank you. The operator of this site will look at this name.")).to_be_visible()
    (report,) = [one for one in admin.lists("reports") if one["name"] == "Rude"]
    assert report["count"] == 1

    try:
        admin.does("notice", "Back at eight.", "--translation", "fr=De retour à huit heures.")
        expect(anna.get_by_role("status").filter(has_text="Back at eight.")).to_be_visible()
        expect(rude.get_by_role("status").filter(has_text="De retour à huit heures.")).to_be_visible()
        visitor = people.come("/about")
        expect(visitor.get_by_text("Back at eight.")).to_be_visible()
        admin.does("notice", "--clear")
        expect(anna.get_by_text("Back at eight.")).to_be_hidden()
        visitor.get_by_role("link", name="Settings").click()
        expect(visitor.get_by_text("Back at eight.")).to_be_hidden()

        admin.does("read-only", "on")
        expect(anna.get_by_text("nothing can be changed for the moment").first).to_be_visible()
        admin.does("read-only", "off")
        expect(anna.get_by_text("nothing can be changed for the moment")).to_have_count(0)
    finally:  # the server is everybody's
        admin.does("notice", "--clear")
        admin.does("read-only", "off")

    admin.does("ban", "person", report["person"], "--reason", "Un nom grossier.")
    expect(rude.get_by_text("L’opérateur de ce site t’a banni : Un nom grossier.")).to_be_visible()
