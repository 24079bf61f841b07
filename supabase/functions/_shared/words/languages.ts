// Written by `npm run messages`: English and the translations in this folder.
import en from './en.json' with { type: 'json' }
import enMails from './mails/en.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import deMails from './mails/de.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import esMails from './mails/es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import frMails from './mails/fr.json' with { type: 'json' }
import it from './it.json' with { type: 'json' }
import itMails from './mails/it.json' with { type: 'json' }
import type { Message } from './render.ts'

/** A language: events are those of notifications. */
export interface Words {
  events: Record<string, { title?: Message; message?: Message }>
  mails: Record<string, Record<string, Message>>
  authMails: Record<string, Record<string, Message>>
  pages: Record<string, Message>
  layout: Record<string, Message>
  plans: Record<string, Message>
  papers: Record<string, Message>
}

export const english = { events: en, ...enMails } as unknown as Words
export const languages: Record<string, Words> = {'de': { events: de, ...deMails }, 'es': { events: es, ...esMails }, 'fr': { events: fr, ...frMails }, 'it': { events: it, ...itMails }} as unknown as Record<string, Words>
