import { plural, t } from '@lingui/core/macro'
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ImportedRow } from '#domain/imports/row.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import { whyNot } from './imports.messages.ts'
import { ANSWERABLE, type Fated } from './imports.ts'
import classes from './SkippedRows.module.css'

/** The number of rows shown initially; a group may have hundreds. */
const FIRST = 12

interface SkippedRowsProps {
  rows: readonly ImportedRow[]
  fates: readonly Fated[]
  /** Lets the person say who is in a row's plan, or choose its plan. */
  onChoose?: (key: string) => void
}

/** Lists the rows that do not become plans, each with the reason. One-off entries and repayments come last. */
export function SkippedRows({ rows, fates, onChoose }: SkippedRowsProps) {
  const [all, setAll] = useState(false)
  if (fates.length === 0) return null
  const order = [...fates].sort((a, b) => Number(isPlain(a)) - Number(isPlain(b)))
  return (
    <SectionCard
      titleId="left-title"
      title={plural(fates.length, { one: '# stays where it is', other: '# stay where they are' })}
    >
      <ul className={classes.list}>
        {order.slice(0, all ? undefined : FIRST).map((fated) => {
          const row = rows[Number(fated.key)] as ImportedRow
          return (
            <li key={fated.key} className={classes.row}>
              <Stack gap={2} flex={1} miw={0}>
                <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {row.name}
                </Text>
                <Text size="sm" c="dimmed">
                  {whyNot(row, fated)}
                  {row.entries > 1 && ` ${plural(row.entries, { one: '# entry.', other: '# entries.' })}`}
                </Text>
              </Stack>
              {ANSWERABLE.includes(fated.fate) && onChoose && (
                <Button
                  variant="subtle"
                  size="compact-md"
                  onClick={() => onChoose(fated.key)}
                  aria-label={t`Bring along ${row.name}`}
                >
                  {t`Bring along`}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {!all && fates.length > FIRST && (
        <Group>
          <Anchor component="button" type="button" mih={44} onClick={() => setAll(true)}>
            {t`Show all ${fates.length}`}
          </Anchor>
        </Group>
      )}
    </SectionCard>
  )
}

const isPlain = ({ fate }: Fated) => fate === 'once' || fate === 'repayment' || fate === 'irregular'
