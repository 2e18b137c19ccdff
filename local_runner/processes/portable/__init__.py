"""Modules that run under any Python from 3.7 on, without the project on `sys.path`.

They use the standard library only and import nothing of the project. The host scripts load them by path;
`bundle_importer.py` is pasted into the upload.
"""
