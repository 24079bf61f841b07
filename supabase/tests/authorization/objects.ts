// Everything that clients could access: the tables and functions of the exposed schema, from the system catalogue.
import type { Database } from '@potluck/server/db/database.ts'

export interface Relation {
  name: string
  /** Writable columns: a generated one cannot be set. */
  columns: string[]
  key: string[]
}

export interface Objects {
  relations: Relation[]
  functions: { name: string; answersNothing: boolean }[]
}

/**
 * Views, foreign tables and sequences count as relations too: each must have cells. A view has the key of the private
 * table it is named after.
 */
export async function exposedObjects(db: Pick<Database, 'query'>): Promise<Objects> {
  const relations = await db.query<{ relation: Relation }>(
    `select json_build_object(
       'name', c.relname,
       'columns', (select json_agg(a.attname order by a.attname) from pg_attribute as a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''),
       'key', (select coalesce(json_agg(a.attname order by a.attnum), '[]') from pg_index as i
         join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
         where i.indrelid in (c.oid, to_regclass(format('private.%I', c.relname))) and i.indisprimary)
     ) as relation
     from pg_class as c
     where c.relnamespace = 'public'::regnamespace and c.relkind not in ('i', 'I', 't', 'c') order by c.relname`,
  )
  const functions = await db.query<{ name: string; answersNothing: boolean }>(
    `select proname as name, prorettype = 'void'::regtype as "answersNothing"
     from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  )
  return { relations: relations.map(({ relation }) => relation), functions }
}
