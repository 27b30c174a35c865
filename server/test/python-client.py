# Uses the client in Python against the service of a test, and prints what it saw as JSON.
import json
import os
import time

from yore_client import ProblemError, YoreClient

url, key = os.environ["YORE_URL"], os.environ["YORE_KEY"]
yore = YoreClient(f"{url}/", key, tries=3)


def problem_of(call):
    try:
        call()
    except ProblemError as error:
        return {name: error.problem[name] for name in ("code", "status")}


yore.create_corpus(name="tea")
text = "# Brewing\n\nPour hot water over the leaves, naïvely.\n".encode()
upload = dict(file=text, corpus="tea", path="docs/brewing tea.md", idempotency_key="once")
first = yore.upload_file(**upload)
same = yore.upload_file(**upload)["id"] == first["id"]
while (state := yore.read_ingestion(first["id"])["state"]) not in ("completed", "failed"):
    time.sleep(0.2)
hits = yore.search("tea", query="hot water")["hits"]
documents = yore.list_documents("tea", limit=10)["items"]
content = yore.read_document("tea", path=documents[0]["path"]).decode()
assert "hot water" in yore.assemble("tea", question="How is tea brewed?", maxTokens=1000)["output"]
assert yore.read_node(hits[0]["document_id"])["path"] == hits[0]["path"]
yore.delete_documents("tea", paths=[documents[0]["path"]])
yore.delete_corpus("tea")
seen = {
    "state": state,
    "same": same,
    "hits": [hit["path"] for hit in hits],
    "content": content,
    "problem": problem_of(lambda: yore.read_corpus("tea")),
    "refused": problem_of(lambda: yore.search("handbook", query="x", limit=-1)),
    "unauthenticated": problem_of(lambda: YoreClient(url, "wrong").list_corpora())["status"],
    "left": [corpus["name"] for corpus in yore.list_corpora()["items"]],
}
print(json.dumps(seen))
