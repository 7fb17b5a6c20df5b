/** Runs the health checks of Argo CD, with the libraries that Argo CD gives them. */
import { readFileSync } from 'node:fs';
// @ts-expect-error The package has no types.
import fengari from 'fengari';
import { parse } from 'yaml';

const { lauxlib, lua, lualib, to_jsstring, to_luastring } = fengari;
const FILE = new URL('../../k8s/argocd/health.yaml', import.meta.url);

function push(state: unknown, value: unknown): void {
  if (value === null || value === undefined) lua.lua_pushnil(state);
  else if (typeof value === 'string') lua.lua_pushstring(state, to_luastring(value));
  else if (typeof value === 'number') lua.lua_pushnumber(state, value);
  else if (typeof value === 'boolean') lua.lua_pushboolean(state, value);
  else {
    lua.lua_newtable(state);
    const entries = Array.isArray(value) ? value.map((item, i) => [i + 1, item]) : Object.entries(value);
    for (const [key, item] of entries) {
      push(state, key);
      push(state, item);
      lua.lua_settable(state, -3);
    }
  }
}

/** @throws {Error} if the check cannot be run */
export function argoCdHealth(resource: { kind: string; [field: string]: unknown }): {
  status: string;
  message: string;
} {
  const { data } = parse(readFileSync(FILE, 'utf8'));
  const code: string = data[`resource.customizations.health.touchline.dev_${resource.kind}`];
  const state = lauxlib.luaL_newstate();
  lauxlib.luaL_requiref(state, to_luastring('_G'), lualib.luaopen_base, 1);
  push(state, resource);
  lua.lua_setglobal(state, to_luastring('obj'));
  if (lauxlib.luaL_dostring(state, to_luastring(code))) throw new Error(to_jsstring(lua.lua_tostring(state, -1)));
  const field = (name: string) => {
    lua.lua_getfield(state, -1, to_luastring(name));
    const text = to_jsstring(lua.lua_tostring(state, -1));
    lua.lua_pop(state, 1);
    return text;
  };
  return { status: field('status'), message: field('message') };
}
