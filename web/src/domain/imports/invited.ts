import type { ImportedRow } from './row.ts'

/** "Ana B <ana@example.org>", as mail programs copy addresses; the name may be in quotes, and may then have a comma. */
const NAMED = /(?:"[^"]*"\s*|[^<>;,\n"]*)<\s*(?:mailto:)?([^\s<>;,]+@[^\s<>;,]+)\s*>/gi
const ADDRESS = /[^\s<>;,"()]+@[^\s<>;,"()]+\.[^\s<>;,"()]*[^\s<>;,"().]/g

/** The addresses in a cell. Names without an address become `people`, for whom the screen asks for one. */
export function invitedIn(cell: string): Pick<ImportedRow, 'invite' | 'people'> {
  const invite: string[] = []
  const take = (address: string) => {
    if (!invite.some((other) => other.toLowerCase() === address.toLowerCase())) invite.push(address)
    return ''
  }
  const rest = cell.replace(NAMED, (_all, address: string) => take(address))
  const people = rest.split(/[;,\n]/).flatMap((part) => {
    const addresses = part.replace(/\bmailto:/gi, '').match(ADDRESS) ?? []
    addresses.forEach(take)
    return addresses.length === 0 && part.trim() !== '' ? [part.trim()] : []
  })
  return { invite, people }
}
