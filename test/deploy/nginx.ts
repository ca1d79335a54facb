import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../run/built.ts';

/** Whether the machine has nginx. */
export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
if (!hasNginx) process.stdout.write('nginx is missing: its configuration is not tried.\n');

export type Site = 'checklist' | 'checklist-behind-proxy';

export interface NginxOptions {
  site: Site;
  /** Ports of the two processes. */
  processes: readonly [number, number];
  /** Port of the site. */
  port: number;
  /** Texts of the shipped files to replace. */
  replace?: readonly (readonly [from: string | RegExp, to: string])[];
}

/** As Debian's own, with paths that need no rights. */
const main = (folder: string) => `
pid ${folder}/nginx.pid;
error_log ${folder}/logs/error.log;
daemon off;
master_process off;
events { worker_connections 1024; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  access_log ${folder}/logs/access.log;
  gzip on;
  include conf.d/*.conf;
  include sites-enabled/*;
}
`;

/** Lays a site of `deploy/nginx` out in a folder, as in `/etc/nginx`, for this machine's ports. */
export async function layOut(folder: string, { site, processes, port, replace = [] }: NginxOptions): Promise<void> {
  await cp(join(root, 'deploy/nginx'), folder, { recursive: true });
  for (const made of ['logs', 'sites-enabled']) await mkdir(join(folder, made));
  await cp(join(folder, 'sites-available', site), join(folder, 'sites-enabled', site));
  await rm(join(folder, 'sites-available'), { recursive: true });
  if (site === 'checklist') {
    const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
    const about = ['-days', '1', '-subj', '/CN=checklist.example.com'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...about], { stdio: 'pipe' });
  }
  const changes: NonNullable<NginxOptions['replace']> = [
    ['127.0.0.1:3001', `127.0.0.1:${processes[0]}`],
    ['127.0.0.1:3002', `127.0.0.1:${processes[1]}`],
    [/listen \[::\].*/, ''],
    [/listen (443|80)\b/, `listen 127.0.0.1:${port}`],
    [/\/etc\/letsencrypt\S*fullchain.pem/, join(folder, 'cert.pem')],
    [/\/etc\/letsencrypt\S*privkey.pem/, join(folder, 'key.pem')],
    [/\/var\/log\/nginx/g, join(folder, 'logs')],
    ...replace,
  ];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || file.name.endsWith('.pem')) continue;
    const path = join(file.parentPath, file.name);
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      changes.reduce((changed, [from, to]) => changed.replace(from, to), text),
    );
  }
  await writeFile(join(folder, 'nginx.conf'), main(folder));
}

const args = (folder: string) => ['-p', folder, '-c', join(folder, 'nginx.conf')];

/** What nginx says of a laid out folder: nothing but that it is right, or its faults. */
export function check(folder: string): { isRight: boolean; said: string } {
  const { status, stderr } = spawnSync('nginx', ['-t', ...args(folder)], { encoding: 'utf8' });
  return { isRight: status === 0, said: stderr };
}

async function listens(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await sleep(50);
  }
}

/** Starts nginx on a laid out folder. Returns the function that stops it. */
export async function startNginx(folder: string, port: number): Promise<() => Promise<void>> {
  const child = spawn('nginx', args(folder), { stdio: ['ignore', 'ignore', 'inherit'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await listens(port, child);
  return async () => {
    process.off('exit', kill);
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
}
