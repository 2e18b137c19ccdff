"""The file to upload: made by `bundle`, checked by `check`."""
