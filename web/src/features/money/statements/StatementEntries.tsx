import { plural, t } from '@lingui/core/macro'
import { Anchor, Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { fullDay } from '#domain/dates.ts'
import type { BankEntry } from '#domain/imports/bank-statement.ts'
import { formatMoney } from '#domain/money.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import classes from './StatementEntries.module.css'
import { entryInWords, type FatedEntry, paidInWords, proposalsQuery, useConfirmAll } from './statements.ts'

interface StatementEntriesProps {
  entries: readonly BankEntry[]
  onAgain: () => void
}

/** The members' payments found in a bank statement. The owner confirms all of them with one button. */
export function StatementEntries({ entries, onAgain }: StatementEntriesProps) {
  const [done, setDone] = useState<FatedEntry[] | null>(null)
  const proposals = useQuery({ ...proposalsQuery(entries), enabled: done === null })
  return done ? (
    <Proposals
      key={done.map(({ fate }) => fate).join()}
      fates={done}
      onDone={setDone}
      {...{ entries, onAgain }}
    />
  ) : (
    <Loaded of={proposals} rows={4} failed={t`Who has paid could not be loaded`}>
      {(fates) => <Proposals entries={entries} fates={fates} onDone={setDone} onAgain={onAgain} />}
    </Loaded>
  )
}

interface ProposalsProps extends StatementEntriesProps {
  fates: readonly FatedEntry[]
  onDone: (fates: FatedEntry[]) => void
}

/** The `fate` values of entries that concern members. The rest of a statement is private to the owner. */
const OF_MEMBERS: readonly FatedEntry['fate'][] = ['confirmed', 'twice', 'amount', 'cancelled']

function Proposals({ entries, fates, onDone, onAgain }: ProposalsProps) {
  const certain = fates.filter(({ fate }) => fate === 'pays')
  const [chosen, setChosen] = useState<Record<string, string>>(() =>
    // After the first confirmation, the remaining entries are those that the owner left out, so choose none of them.
    fates.some(({ fate }) => fate === 'done')
      ? {}
      : Object.fromEntries(certain.map(({ key, params }) => [key, params.payment ?? ''])),
  )
  const confirm = useConfirmAll(entries, onDone)
  const entryOf = ({ key }: FatedEntry) => entries.find((entry) => entry.key === key) as BankEntry
  const choose = (key: string, payment: string | null) =>
    setChosen(({ [key]: _before, ...rest }) => (payment ? { ...rest, [key]: payment } : rest))
  const only = (...kinds: FatedEntry['fate'][]) => fates.filter(({ fate }) => kinds.includes(fate))
  const [received, unsure, noted] = [only('done'), only('choose'), only(...OF_MEMBERS)]
  const rest = fates.length - received.length - certain.length - unsure.length - noted.length
  const count = Object.keys(chosen).length
  const said = (fated: FatedEntry) => entryInWords(entryOf(fated), fated)
  return (
    <Stack gap="lg">
      {received.length > 0 && (
        <Entries
          id="received"
          title={plural(received.length, { one: '# payment received', other: '# payments received' })}
          {...{ entryOf }}
          fates={received}
        >
          {(fated) => said(fated)}
        </Entries>
      )}
      {certain.length > 0 && (
        <Entries
          id="certain"
          title={plural(certain.length, { one: '# payment has arrived', other: '# payments have arrived' })}
          {...{ entryOf }}
          fates={certain}
        >
          {(fated) => (
            <Checkbox
              label={paidInWords(fated.params)}
              description={said(fated)}
              checked={chosen[fated.key] !== undefined}
              onChange={({ currentTarget }) =>
                choose(fated.key, currentTarget.checked ? (fated.params.payment ?? null) : null)
              }
            />
          )}
        </Entries>
      )}
      {unsure.length > 0 && (
        <Entries id="unsure" title={t`Who was this?`} {...{ entryOf }} fates={unsure}>
          {(fated) => (
            <Select
              label={said(fated)}
              placeholder={t`None of them`}
              clearable
              data={(fated.params.of ?? []).map((paid) => ({
                value: paid.payment,
                label: paidInWords(paid),
              }))}
              value={chosen[fated.key] ?? null}
              onChange={(payment) => choose(fated.key, payment)}
            />
          )}
        </Entries>
      )}
      <Group>
        {(certain.length > 0 || unsure.length > 0) && (
          <Button disabled={count === 0} loading={confirm.isPending} onClick={() => confirm.mutate(chosen)}>
            {plural(count, { one: 'Confirm # payment', other: 'Confirm # payments' })}
          </Button>
        )}
        <Button variant="default" onClick={onAgain} disabled={confirm.isPending}>
          {t`Another statement`}
        </Button>
      </Group>
      {noted.length > 0 && (
        <Entries id="noted" title={t`Nothing to do, or look yourself`} {...{ entryOf }} fates={noted}>
          {(fated) => said(fated)}
        </Entries>
      )}
      {rest > 0 && <Rest fates={fates} {...{ entryOf }} />}
    </Stack>
  )
}

interface EntriesProps {
  id: string
  title: string
  fates: readonly FatedEntry[]
  entryOf: (fated: FatedEntry) => BankEntry
  children: (fated: FatedEntry) => React.ReactNode
}

function Entries({ id, title, fates, entryOf, children }: EntriesProps) {
  return (
    <SectionCard titleId={`${id}-title`} title={title}>
      <ul className={classes.list}>
        {fates.map((fated) => {
          const { name, account, booked, amount, currency, text } = entryOf(fated)
          return (
            <li key={fated.key} className={classes.entry}>
              <Group justify="space-between" wrap="nowrap" align="baseline" gap="sm">
                <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {name || t`Unnamed`}
                  {account && (
                    <Text span size="sm" c="dimmed" fw={400}>
                      {` …${account}`}
                    </Text>
                  )}
                </Text>
                <Text fw={600} className={classes.amount}>
                  {formatMoney(amount, currency)}
                </Text>
              </Group>
              <Text size="sm" c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {[booked && fullDay(booked), text].filter(Boolean).join(' · ')}
              </Text>
              <div className={classes.fate}>{children(fated)}</div>
            </li>
          )
        })}
      </ul>
    </SectionCard>
  )
}

const REST: readonly FatedEntry['fate'][] = ['nothing', 'currency', 'debit', 'pending']

/** Entries that do not concern members: shows their number and, on request, the list. */
function Rest({ fates, entryOf }: Pick<EntriesProps, 'fates' | 'entryOf'>) {
  const [shown, setShown] = useState(false)
  const rest = fates.filter(({ fate }) => REST.includes(fate))
  return shown ? (
    <Entries id="rest" title={t`Everything else`} fates={rest} entryOf={entryOf}>
      {(fated) => entryInWords(entryOf(fated), fated)}
    </Entries>
  ) : (
    <Group gap="xs">
      <Text c="dimmed">
        {plural(rest.length, {
          one: '# other entry has nothing to do with your members.',
          other: '# other entries have nothing to do with your members.',
        })}
      </Text>
      <Anchor component="button" type="button" mih={44} onClick={() => setShown(true)}>
        {t`Show why`}
      </Anchor>
    </Group>
  )
}
