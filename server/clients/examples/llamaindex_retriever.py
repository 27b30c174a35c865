# How does LlamaIndex retrieve from yore? Each hit is a node with its section as text.
# Run: pip install yore-client llama-index-core; YORE_URL=… YORE_KEY=… YORE_CORPUS=… python llamaindex_retriever.py "question"
import os
import sys
from typing import List

from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from yore_client import YoreClient


class YoreRetriever(BaseRetriever):
    """Sections of a corpus that match a question, best first."""

    def __init__(self, client: YoreClient, corpus: str, limit: int = 5, max_tokens: int = 800) -> None:
        self._client = client
        self._corpus = corpus
        self._limit = limit
        self._max_tokens = max_tokens
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> List[NodeWithScore]:
        hits = self._client.search(self._corpus, query=query_bundle.query_str, limit=self._limit)["hits"]
        return [NodeWithScore(node=self._node_of(hit), score=hit["score"]) for hit in hits]

    def _node_of(self, hit: dict) -> TextNode:
        read = self._client.read(self._corpus, place=hit["artifact"], maxTokens=self._max_tokens)
        metadata = {"source": hit["path"], "title": hit["title"]}
        return TextNode(id_=hit["document_id"], text=read["output"], metadata=metadata)


if __name__ == "__main__":
    yore = YoreClient(os.environ["YORE_URL"], os.environ["YORE_KEY"])
    for found in YoreRetriever(yore, os.environ["YORE_CORPUS"]).retrieve(sys.argv[1]):
        print(found.node.metadata, found.node.get_content(), sep="\n")
