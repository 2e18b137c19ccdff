"""Modules that run under any Python from 3.7 on, without the project on `sys.path`.

These modules use the standard library only and import nothing of the project. The host scripts load these modules by
path; `upload/bundle.py` copies `bundle_importer.py` into the upload.
"""
