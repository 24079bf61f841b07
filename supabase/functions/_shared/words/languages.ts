// Written by `npm run messages`: the translations in this folder.
import de from './de.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import it from './it.json' with { type: 'json' }
import type { Message } from './render.ts'

type Words = Record<string, Record<string, Message>>

export const languages: Record<string, Words> = {'de': de as unknown as Words, 'es': es as unknown as Words, 'fr': fr as unknown as Words, 'it': it as unknown as Words}
