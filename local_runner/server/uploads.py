"""Uploaded submissions. Each is in a folder of its own that only the user can read, named by the hash of its content.

The name that the browser gives is never used as a path. Uploading the same content again stores no second copy.
"""

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from local_runner.agents.files import MAIN
from local_runner.agents.spec import AgentSpec
from local_runner.errors import RunnerError
from local_runner.language.languages import _
from local_runner.language.text import shortened
from local_runner.server.answers import UploadHeading
from local_runner.server.store import RoomStore
from local_runner.system.files import reason

MOST_BYTES = 100_000_000  # size of one upload, as on the site
MOST_UPLOADS = 200
ID = re.compile(r"[0-9a-f]{32}")


class Uploads:
    """The uploads of a store. Methods may be called from any thread."""

    def __init__(self, store: RoomStore) -> None:
        self._store = store
        self._folder = store.folder

    def add(self, content: bytes, name: str) -> tuple[str, str]:
        """Store a submission.py; returns its id and the name to show.

        Raises RunnerError if the file is empty, the store is full, or the folder cannot be written.
        """
        if not content:
            raise RunnerError(_("this file is empty"))
        upload = hashlib.sha256(content).hexdigest()[:32]
        shown = shortened(name) or MAIN
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            place = self._folder / upload
            if not (place / MAIN).is_file():
                if sum(1 for _entry in self._folder.iterdir()) >= MOST_UPLOADS:
                    sentence = _("{folder} holds {number} uploads, which is the most; delete some under Check")
                    raise RunnerError(sentence.format(folder=self._folder, number=MOST_UPLOADS))
                place.mkdir(mode=0o700, exist_ok=True)
                handle, part = tempfile.mkstemp(dir=place, suffix=".part")
                with open(handle, "wb") as file:
                    file.write(content)
                os.replace(part, place / MAIN)
        except OSError as error:
            sentence = _("cannot keep the upload in {folder}: {error}")
            raise RunnerError(sentence.format(folder=self._folder, error=reason(error))) from error
        self._store.add_upload(upload, shown)
        return upload, shown

    def headings(self) -> list[UploadHeading]:
        """All uploads, the newest first."""
        return [UploadHeading(upload=upload, name=name, added=added) for upload, name, added in self._store.uploads()]

    def delete(self, upload: str) -> None:
        """Delete an upload; games against it can still be looked at. Raises RunnerError if it cannot be deleted."""
        place = self.path(upload).parent
        try:
            shutil.rmtree(place)
        except OSError as error:
            raise RunnerError(_("cannot delete {path}: {error}").format(path=place, error=reason(error))) from error
        self._store.delete_upload(upload)

    def path(self, upload: str) -> Path:
        """The file of an upload. Raises RunnerError if no upload has this id."""
        path = self._folder / upload / MAIN
        if not ID.fullmatch(upload) or not path.is_file():
            raise RunnerError(_("this upload is not there any more; upload the file again"))
        return path

    def name(self, upload: str) -> str:
        """The name that the browser gave. Raises RunnerError if no upload has this id."""
        self.path(upload)
        return self._store.upload_name(upload) or MAIN

    def spec(self, upload: str) -> AgentSpec:
        """The upload as an agent. Raises RunnerError if no upload has this id."""
        return AgentSpec(self.name(upload), self.path(upload), {})
