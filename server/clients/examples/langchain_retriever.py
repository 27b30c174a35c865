# How does LangChain retrieve from yore? Each hit is a Document with its section as text.
# Run: pip install yore-client langchain-core; YORE_URL=… YORE_KEY=… YORE_CORPUS=… python langchain_retriever.py "question"
import os
import sys
from typing import Any, List

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from yore_client import YoreClient


class YoreRetriever(BaseRetriever):
    """Sections of a corpus that match a question, best first."""

    client: Any
    corpus: str
    limit: int = 5
    max_tokens: int = 800

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> List[Document]:
        hits = self.client.search(self.corpus, query=query, limit=self.limit)["hits"]
        return [
            Document(
                page_content=self.client.read(
                    self.corpus, place=hit["artifact"], maxTokens=self.max_tokens
                )["output"],
                metadata={"source": hit["path"], "lines": hit["lines"], "score": hit["score"]},
            )
            for hit in hits
        ]


if __name__ == "__main__":
    yore = YoreClient(os.environ["YORE_URL"], os.environ["YORE_KEY"])
    retriever = YoreRetriever(client=yore, corpus=os.environ["YORE_CORPUS"])
    for document in retriever.invoke(sys.argv[1]):
        print(document.metadata, document.page_content, sep="\n")
