/** The registers that can be imported. */

interface Register {
  /** The sport of everything in the register. */
  sport: string;
}

export const REGISTERS: Readonly<Record<string, Register>> = { reep: { sport: 'football' } };
