# `make` lists the targets that users need; workshop/targets.mk has the others. Targets that need .venv make it first, and again after a change of pyproject.toml.

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TOOLS := $(VENV)/.tools
NODE := workshop/page/node_modules
INSTALL := -m pip install --quiet --no-compile --disable-pip-version-check --editable
OUT := dist/submission.py
MATCH := tengen seed004 --env gobang_1v1 --games 1
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --quiet --timeout=600 --numprocesses=auto --dist=worksteal
SERVE ?=  # more options of tengen serve

# The locale if it is Chinese, else nothing.
CHINESE := $(filter zh%,$(firstword $(LC_ALL) $(LC_MESSAGES) $(LANG)))

# Each target with the line above it that begins with "## ", or with the second such line where the locale is Chinese.
LIST := awk -F : -v chinese="$(CHINESE)" ' \
	/^\#\# / { lines[++n] = substr($$0, 4) } \
	/^[a-z0-9-]+:/ && n { printf("make %-12s %s\n", $$1, (n > 1 && chinese) ? lines[2] : lines[1]) } \
	!/^\#\# / { n = 0 }'

.DEFAULT_GOAL := help
.PHONY: help help-all match serve bundle check bench docs python37 test lint clean

## list the targets that users need
## 列出常用命令
help:
	@$(LIST) Makefile

## list all targets, also those that developers need
## 列出全部命令，包括开发本程序用的
help-all:
	@$(LIST) $(MAKEFILE_LIST)

## watch our agent play one game of gobang against the rule-based agent of seed 004
## 看本项目的智能体和规则智能体 seed004 下一局五子棋
match: $(READY)
	@echo "$(if $(CHINESE),开始一局五子棋，约 20 秒。,A game of gobang takes about 20 seconds.)"
	$(BIN)/tengen match $(MATCH)
	@echo "$(if $(CHINESE),接下来：,Next:)"
	@echo "  make serve                       $(if $(CHINESE),在浏览器里下棋、复盘,play and analyse in the browser)"
	@echo "  $(BIN)/tengen play level2     $(if $(CHINESE),在终端里下棋,play in the terminal)"
	@echo "  $(BIN)/tengen init my_agent   $(if $(CHINESE),写自己的智能体,write an agent of your own)"

## open the page in the browser: play, replay, analyse, watch; Ctrl-C ends it
## 打开浏览器页面：下棋、复盘、分析、观战；按 Ctrl-C 结束
serve: $(READY)
	@$(BIN)/python -c 'import starlette, uvicorn, websockets' 2>/dev/null || { \
		echo "$(if $(CHINESE),把网页所需的包装进 $(VENV)，只需一次，约 20 MB。,Installing what the page needs into $(VENV) once: about 20 MB.)"; $(BIN)/python $(INSTALL) '.[serve]'; }
	@trap : INT; $(BIN)/tengen serve $(SERVE) || [ $$? = 130 ]

## write dist/submission.py, the one file to upload (SET="seconds=0.7": with this setting)
## 生成 dist/submission.py，即要上传的单个文件（SET="seconds=0.7"：改一项设置）
bundle: $(READY)
	$(BIN)/tengen bundle --out $(OUT) $(foreach change,$(SET),--set $(change))

## play whole games with dist/submission.py as the site does and say which games it is ready for; two minutes
## 像平台那样用 dist/submission.py 下完整对局，说明可以参加哪些比赛；两分钟
check: $(READY)
	$(BIN)/tengen bundle --out $(OUT) --unless-edited
	$(BIN)/tengen check $(OUT)

## measure import time, time per call, memory and nodes per second
## 测量启动时间、每手时间、内存和每秒节点数
bench: $(READY)
	$(BIN)/tengen bench

## build the documentation site into build/site, in Chinese and English; a warning fails the build
## 把文档做成 build/site 网站，中英文都有；有警告就失败
docs: $(READY)
	@$(BIN)/python -c 'import furo, myst_parser, sphinx, sphinx_copybutton' 2>/dev/null || { \
		echo "$(if $(CHINESE),把网站所需的包装进 $(VENV)，只需一次，约 70 MB。,Installing what the site needs into $(VENV) once: about 70 MB.)"; $(BIN)/python $(INSTALL) '.[docs]'; }
	@rm -rf build/site
	@printf '%s\n' zh en developers | xargs -P 3 -I {} env LC_ALL=C.UTF-8 TENGEN_DOCS_PART={} $(BIN)/python -m sphinx -q -W --keep-going \
		-d build/site.trees/{} -c workshop/site docs/{} build/site/{}
	@rm -rf build/site.trees && cp workshop/site/start.html build/site/index.html
	@echo "$(if $(CHINESE),网站在 build/site：打开 build/site/index.html,The site is in build/site: open build/site/index.html)"

## make .venv37 with the platform's Python 3.7 and numpy, for tests and checks (needs a Python 3.7)
## 建 .venv37：平台所用的 Python 3.7 和 numpy，供测试和检查使用（需要 Python 3.7）
python37: $(READY)
	@workshop/python37.sh $(BIN)/python

## run the quick tests, on all cores
## 用全部 CPU 核运行快的测试
test: $(TOOLS)
	$(PYTEST)

## run ruff (rules and format), mypy, vermin on the code for Python 3.7, the table of budgets, and eslint, stylelint and tsc on the page if npm is there
## 检查代码的写法、类型、Python 3.7 兼容性和各文件夹的行数
lint: $(TOOLS)
	$(BIN)/ruff check
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	$(BIN)/python -m workshop.budgets
	$(BIN)/vermin --no-config-file --no-tips --violations --quiet --target=3.7- submission local_runner/processes/agent_side local_runner/agents/opponents local_runner/upload/bundle_importer.py workshop/lab/bench.py
	@if node -e 'const [major, minor] = process.versions.node.split("."); process.exit(Number(100 * major + +minor < 2019))' 2>/dev/null && command -v npm >/dev/null; then \
		$(MAKE) --no-print-directory $(NODE)/.ready && \
		$(NODE)/.bin/eslint --config workshop/page/eslint.config.js local_runner/server/page && \
		$(NODE)/.bin/stylelint --config workshop/page/stylelint.config.js "local_runner/server/page/**/*.css" && \
		$(NODE)/.bin/tsc --project workshop/page; \
	else \
		echo "eslint, stylelint and tsc were left out: the page's files need npm and Node.js 20.19 or newer to be checked."; \
	fi

## remove all generated files, also the environments
## 删除所有生成的文件，包括虚拟环境
clean:
	rm -rf $(VENV) $(NODE) .venv37 build dist *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Make the virtual environment with PYTHON, or else with the first Python that is new enough.
$(READY): pyproject.toml
	@for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python3.10 python); do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "$(if $(CHINESE),tengen 需要 Python 3.10 以上，没有找到；请用 make PYTHON=/path/to/python3 指定,tengen needs Python 3.10 or newer and found none; name one with make PYTHON=/path/to/python3)" >&2; exit 1; \
	fi; \
	$$found -m venv $(VENV) || { \
		echo "$$found $(if $(CHINESE),不能建虚拟环境；Debian 和 Ubuntu 请先,cannot make a virtual environment; on Debian and Ubuntu:) apt install python3-venv" >&2; exit 1; }
	@echo "$(if $(CHINESE),把 tengen 装进 $(VENV)，只需一次，约 130 MB、半分钟。,Installing tengen into $(VENV) once: about 130 MB and half a minute.)"
	@$(BIN)/python $(INSTALL) .
	@touch $@

# Install into it all packages that tests, lint and workshop/ need.
$(TOOLS): $(READY)
	@echo "$(if $(CHINESE),把测试和静态检查所需的包装进 $(VENV)，只需一次，约 500 MB、一分钟。,Installing what tests and lint need into $(VENV) once: about 500 MB and a minute.)"
	@$(BIN)/python $(INSTALL) '.[dev]'
	@touch $@

# Install eslint, stylelint and tsc, which check the page's files.
$(NODE)/.ready: workshop/page/package-lock.json
	@echo "Installing eslint, stylelint and TypeScript into $(NODE), once: about 65 MB."
	@npm ci --prefix workshop/page --loglevel=error --no-audit --no-fund >/dev/null
	@touch $@

include workshop/targets.mk
