/** Arguments with which Node runs TypeScript. Empty if this Node does so by itself. */
export const TSX: readonly string[] = Reflect.get(process.features, 'typescript')
  ? []
  : ['--import', import.meta.resolve('tsx')];
