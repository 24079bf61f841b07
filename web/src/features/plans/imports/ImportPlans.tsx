import { plural, t } from '@lingui/core/macro'
import { Button, Group, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportedRow } from '#domain/imports/row.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { catalogueQuery } from '../catalogue/catalogue.queries.ts'
import { ImportDone } from './ImportDone.tsx'
import { ImportedPlan } from './ImportedPlan.tsx'
import {
  ANSWERABLE,
  asked,
  type Choice,
  type Fated,
  isOff,
  OWN,
  peopleOf,
  previewQuery,
  useImport,
} from './imports.ts'
import { SkippedRows } from './SkippedRows.tsx'

/** The `fate` values of rows that can become a plan, immediately or after an answer. */
const OPEN: readonly Fated['fate'][] = ['new', 'own', 'choose', 'date', 'name', 'people']

/** False for an own plan, and for one with people without an account: these are private. */
const canBePublic = ({ params: { plan, people } }: Fated) => plan !== OWN && people === undefined

interface ImportPlansProps {
  rows: readonly ImportedRow[]
  /** Calls `next` once the person has said how they are paid, without which nobody can be invited. */
  prepare: (next: () => void) => void
  /** Starts another import. */
  onAgain: () => void
}

/**
 * Previews the outcome of each imported row, lets the person change it, creates the plans, and shows the result of each
 * row.
 */
export function ImportPlans({ rows, prepare, onAgain }: ImportPlansProps) {
  const names = [...new Set(rows.flatMap(({ payer, people }) => [payer ?? [], people].flat()))].sort()
  const isGroup = rows.some(({ group }) => group !== null)
  const asksWho = names.length > 1 && (isGroup || rows.some(({ payer }) => payer !== null))
  // In a group of one, that one is the person.
  const [me, setMe] = useState<string | null>(isGroup && names.length === 1 ? (names[0] ?? null) : null)
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const [isPrivate, setPrivate] = useState(true)
  const [done, setDone] = useState<Fated[] | null>(null)
  const wanted = rows.map((row, index) => asked(row, index, me, choices[index]))
  const preview = useQuery({
    ...previewQuery(wanted),
    placeholderData: keepPreviousData,
    enabled: (!asksWho || me !== null) && done === null,
  })
  const { data: providers = [] } = useQuery(catalogueQuery)
  // Only rows that become plans in the preview are sent. If a row is turned off, the preview still skips a second row
  // of the same provider; sent without the first, the second row would become a plan.
  const bring = useImport((answers) => {
    const done = new Map(answers.map((fated) => [fated.key, fated]))
    const stayed = (preview.data ?? []).filter((fated) => !isLeft(fated))
    setDone(stayed.map((fated) => done.get(fated.key) ?? fated))
  })
  const rowOf = ({ key }: Fated) => rows[Number(key)] as ImportedRow
  const isLeft = (fated: Fated) => isOff(rowOf(fated), me, choices[fated.key])
  if (done) return <ImportDone {...{ rows, onAgain }} fates={done} />

  const decide = (key: string) => (choice: Choice) => setChoices((all) => ({ ...all, [key]: choice }))
  const taken = (fates: readonly Fated[]) =>
    fates.filter((fated) => (fated.fate === 'new' || fated.fate === 'own') && !isLeft(fated))
  return (
    <Stack gap="lg">
      {asksWho && (
        <SectionCard titleId="who-title" title={t`Which of them are you?`} gap="xs">
          <Text c="dimmed">{t`A plan belongs to whoever pays for it.`}</Text>
          <Select
            aria-labelledby="who-title"
            data={names}
            value={me}
            onChange={setMe}
            searchable
            placeholder={t`Your name`}
            maw={360}
          />
        </SectionCard>
      )}
      {(!asksWho || me !== null) && (
        <Loaded of={preview} rows={4} failed={t`What becomes of your rows could not be loaded`}>
          {(fates) => {
            const isOpen = ({ fate, key }: Fated) =>
              OPEN.includes(fate) || (ANSWERABLE.includes(fate) && choices[key] !== undefined)
            const open = fates.filter(isOpen)
            const ready = taken(fates)
            return (
              <>
                <Title order={2}>
                  {open.length === 0
                    ? t`Nothing new to share`
                    : plural(open.length, { one: '# can become a plan', other: '# can become plans' })}
                </Title>
                {open.map((fated) => (
                  <ImportedPlan
                    key={fated.key}
                    row={rowOf(fated)}
                    {...{ fated, providers }}
                    choice={choices[fated.key] ?? {}}
                    off={isLeft(fated)}
                    known={names.filter((name) => name !== me)}
                    people={peopleOf(rowOf(fated), me, choices[fated.key])}
                    onChange={decide(fated.key)}
                  />
                ))}
                {open.length > 0 && (
                  <SectionCard titleId="bring-title" title={t`Bring along`}>
                    {open.some(canBePublic) && (
                      <Switch
                        label={t`Private`}
                        description={t`Only people with the link can find these plans.`}
                        checked={isPrivate}
                        onChange={({ currentTarget }) => setPrivate(currentTarget.checked)}
                      />
                    )}
                    <Text c="dimmed">{t`Members pay you directly. What people owe each other so far stays where it is.`}</Text>
                    <Group>
                      <Button
                        disabled={ready.length === 0}
                        loading={bring.isPending}
                        onClick={() => {
                          const keys = new Set(ready.map(({ key }) => key))
                          const brought = wanted.filter(({ key }) => keys.has(key))
                          const share = () => bring.mutate({ rows: brought, isPrivate })
                          if (brought.some(({ invite, people }) => invite.length + people.length > 0))
                            prepare(share)
                          else share()
                        }}
                      >
                        {plural(ready.length, { one: 'Share # plan', other: 'Share # plans' })}
                      </Button>
                      <Button variant="default" onClick={onAgain} disabled={bring.isPending}>
                        {t`Another file`}
                      </Button>
                    </Group>
                  </SectionCard>
                )}
                <SkippedRows
                  rows={rows}
                  fates={fates.filter((fated) => !isOpen(fated))}
                  onChoose={(key) => decide(key)({})}
                />
                {open.length === 0 && (
                  <div>
                    <Button variant="default" onClick={onAgain}>
                      {t`Another file`}
                    </Button>
                  </div>
                )}
              </>
            )
          }}
        </Loaded>
      )}
    </Stack>
  )
}
