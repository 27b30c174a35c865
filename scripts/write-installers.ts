// How does an executable reach a machine? Installers and package manifests, each written from the description of a release.
import type { Release, ReleasedFile } from './describe-release.ts'

function fileOf({ files }: Release, target: string, ending: string): ReleasedFile {
  const found = files[target]?.[ending]
  if (found === undefined) throw new Error(`the release has no ${ending} for ${target}`)
  return found
}

/** Lines of a shell `case`: `NAME) file=…; sum=…;;` for every target and ending. */
function shellCases({ files }: Release): string {
  const lines = Object.entries(files).flatMap(([target, byEnding]) =>
    Object.entries(byEnding)
      .filter(([ending]) => ending.startsWith('.tar'))
      .map(([ending, { file, sha256 }]) => `  ${target}${ending}) file='${file}' sum='${sha256}' ;;`),
  )
  return lines.join('\n')
}

/** `install.sh`, for Linux and macOS. */
export function writeShellInstaller(release: Release): string {
  return `#!/bin/sh
# Installs yore ${release.version} for this user: one executable, no Node, no sudo.
#   sh install.sh               into ~/.local/bin, or YORE_INSTALL_DIR
#   sh install.sh --uninstall   removes it, and what it unpacked
# YORE_RELEASE_URL: a mirror of the release.
set -eu

url="\${YORE_RELEASE_URL:-${release.url}}"
folder="\${YORE_INSTALL_DIR:-$HOME/.local/bin}"
cache="\${XDG_CACHE_HOME:-$HOME/.cache}/yore"

fail() {
  printf 'error: %s\\nhint: %s\\n' "$1" "$2" >&2
  exit 1
}

case "\${1:-}" in
  '') ;;
  --uninstall)
    rm -f "$folder/yore"
    rm -rf "$cache/executable" "$cache/compiled"
    echo "removed $folder/yore"
    exit 0
    ;;
  *) fail "unknown argument $1" 'sh install.sh [--uninstall]' ;;
esac

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no executable for $(uname -s)" 'npm install --global yore' ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) processor=x64 ;;
  aarch64 | arm64) processor=arm64 ;;
  *) fail "there is no executable for $(uname -m)" 'npm install --global yore' ;;
esac
if [ "$system" = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib*/ld-linux-* >/dev/null 2>&1; then
  fail 'the executable needs glibc, and this system has musl' 'npm install --global yore'
fi

ending=.tar.gz
if [ "$system" = linux ] && command -v xz >/dev/null 2>&1; then ending=.tar.xz; fi
case "$system-$processor$ending" in
${shellCases(release)}
  *) fail "there is no executable for $system-$processor" 'npm install --global yore' ;;
esac

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if command -v curl >/dev/null 2>&1; then
  curl --fail --silent --show-error --location --output "$work/$file" "$url/$file"
elif command -v wget >/dev/null 2>&1; then
  wget --quiet --output-document="$work/$file" "$url/$file"
else
  fail 'neither curl nor wget is installed' 'install one of them'
fi
if command -v sha256sum >/dev/null 2>&1; then
  found="$(sha256sum "$work/$file")"
else
  found="$(shasum -a 256 "$work/$file")"
fi
[ "\${found%% *}" = "$sum" ] || fail "checksum mismatch in $url/$file" 'download again; nothing was installed'

(cd "$work" && tar -xf "$file")
mkdir -p "$folder"
# A running executable is replaced, not overwritten.
cp "$work/yore" "$folder/.yore.new"
chmod 755 "$folder/.yore.new"
mv -f "$folder/.yore.new" "$folder/yore"
echo "installed $("$folder/yore" --version) as $folder/yore"
case ":$PATH:" in
  *":$folder:"*) ;;
  *) echo "note: $folder is not on PATH: export PATH=\\"$folder:\\$PATH\\"" >&2 ;;
esac
`
}

/** `install.ps1`, for Windows. */
export function writePowerShellInstaller(release: Release): string {
  const { file, sha256 } = fileOf(release, 'win32-x64', '.exe')
  return `# Installs yore ${release.version} for this user: one executable, no Node, no administrator.
#   ./install.ps1              into %LOCALAPPDATA%\\Programs\\yore, or YORE_INSTALL_DIR
#   ./install.ps1 -Uninstall   removes it, and what it unpacked
# YORE_RELEASE_URL: a mirror of the release.
param([switch]$Uninstall)
$ErrorActionPreference = 'Stop'

$url = if ($env:YORE_RELEASE_URL) { $env:YORE_RELEASE_URL } else { '${release.url}' }
$folder = if ($env:YORE_INSTALL_DIR) { $env:YORE_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\\yore' }
$program = Join-Path $folder 'yore.exe'
$path = [Environment]::GetEnvironmentVariable('Path', 'User')

if ($Uninstall) {
  Remove-Item -Force -ErrorAction SilentlyContinue $program
  foreach ($part in 'executable', 'compiled') {
    Remove-Item -Recurse -Force -ErrorAction SilentlyContinue (Join-Path $HOME ".cache\\yore\\$part")
  }
  $others = ($path -split ';' | Where-Object { $_ -and $_ -ne $folder }) -join ';'
  [Environment]::SetEnvironmentVariable('Path', $others, 'User')
  Write-Output "removed $program"
  exit 0
}

New-Item -ItemType Directory -Force $folder | Out-Null
$download = Join-Path $folder 'yore.download'
Invoke-WebRequest -UseBasicParsing -Uri "$url/${file}" -OutFile $download
if ((Get-FileHash -Algorithm SHA256 $download).Hash -ne '${sha256}') {
  Remove-Item $download
  throw "checksum mismatch in $url/${file}: download again; nothing was installed"
}
Move-Item -Force $download $program
if (($path -split ';') -notcontains $folder) {
  [Environment]::SetEnvironmentVariable('Path', "$folder;$path", 'User')
  Write-Output 'note: PATH has changed: open a new terminal'
}
Write-Output "installed $(& $program --version) as $program"
`
}

/** The formula of a Homebrew tap. */
export function writeFormula(release: Release): string {
  const lines = (target: string, ending: string): string => {
    const { file, sha256 } = fileOf(release, target, ending)
    return `      url "${release.url}/${file}"\n      sha256 "${sha256}"`
  }
  const systems = [
    ['macos', 'darwin', '.tar.gz'],
    ['linux', 'linux', '.tar.xz'],
  ] as const
  const blocks = systems.map(([name, system, ending]) => {
    const processors = [
      ['arm', 'arm64'],
      ['intel', 'x64'],
    ].filter(([, processor]) => release.files[`${system}-${processor}`] !== undefined)
    const inner = processors.map(
      ([word, processor]) => `    on_${word} do\n${lines(`${system}-${processor}`, ending)}\n    end`,
    )
    return inner.length === 0 ? '' : `  on_${name} do\n${inner.join('\n')}\n  end\n\n`
  })
  return `class Yore < Formula
  desc "${release.description}"
  homepage "${release.homepage}"
  version "${release.version}"
  license "MIT"

${blocks.join('')}  def install
    bin.install "yore"
    man1.install "yore.1"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/yore --version").strip
  end
end
`
}

/** The manifest of a Scoop bucket. */
export function writeScoopManifest(release: Release): string {
  const { file, sha256 } = fileOf(release, 'win32-x64', '.exe')
  const manifest = {
    version: release.version,
    description: release.description,
    homepage: release.homepage,
    license: 'MIT',
    architecture: { '64bit': { url: `${release.url}/${file}#/yore.exe`, hash: sha256 } },
    bin: 'yore.exe',
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** A flake whose package is the Linux executable with the libraries of nixpkgs. */
export function writeFlake(release: Release): string {
  const sources = [
    ['x86_64-linux', 'linux-x64'],
    ['aarch64-linux', 'linux-arm64'],
  ].map(([system = '', target = '']) => {
    const { file, sha256 } = fileOf(release, target, '.tar.xz')
    return `        ${system} = {\n          url = "${release.url}/${file}";\n          sha256 = "${sha256}";\n        };`
  })
  return `{
  description = "${release.description}";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      sources = {
${sources.join('\n')}
      };
      build = system:
        let pkgs = nixpkgs.legacyPackages.\${system}; in
        pkgs.stdenv.mkDerivation {
          pname = "yore";
          version = "${release.version}";
          src = pkgs.fetchurl sources.\${system};
          sourceRoot = ".";
          nativeBuildInputs = [ pkgs.autoPatchelfHook ];
          buildInputs = [ pkgs.stdenv.cc.cc.lib ];
          # The package is inside of the program.
          dontStrip = true;
          installPhase = ''
            install -Dm755 yore $out/bin/yore
            install -Dm644 yore.1 $out/share/man/man1/yore.1
          '';
          meta.mainProgram = "yore";
        };
    in {
      packages = builtins.mapAttrs (system: _: { default = build system; }) sources;
    };
}
`
}

/** DEBIAN/control. The libraries are those that Node's own builds link to. */
export function writeDebianControl(release: Release, architecture: string, kilobytes: number): string {
  return `Package: ${release.name}
Version: ${release.version}
Architecture: ${architecture}
Maintainer: The yore contributors <${release.homepage.split('/')[3]}@users.noreply.github.com>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6
Section: devel
Priority: optional
Homepage: ${release.homepage}
Description: context engine for LLMs and coding agents
 yore indexes a repository's documents and code and answers each question with
 the passages that it needs, cited by line, within a token budget.
`
}
