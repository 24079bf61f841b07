import { t } from '@lingui/core/macro'
import { Container, Text } from '@mantine/core'
import { createFileRoute } from '@tanstack/react-router'
import { useState } from 'react'
import type { BankEntry } from '#domain/imports/bank-statement.ts'
import { Unreadable } from '#domain/imports/row.ts'
import { StatementEntries } from '#features/money/statements/StatementEntries.tsx'
import { readStatements } from '#features/money/statements/statements.ts'
import { FileDrop } from '#ui/FileDrop.tsx'
import { BackLink } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { explain, toastError } from '#ui/toasts.ts'

export const Route = createFileRoute('/_shell/_signed-in/payments/statement')({ component: Statement })

/** Finds members' payments in the owner's bank statement. */
function Statement() {
  const [entries, setEntries] = useState<BankEntry[] | null>(null)
  const read = (files: File[]) =>
    readStatements(files).then(setEntries, (problem: unknown) =>
      problem instanceof Unreadable
        ? toastError(t`This file can’t be used`, problem.message)
        : explain(problem, t`The file could not be read. Please try again.`),
    )
  return (
    <Container size="md" py={{ base: 'sm', sm: 'lg' }}>
      <BackLink to="/payments" search={{ tab: 'received' }}>
        {t`Back to your payments`}
      </BackLink>
      <PageTitle
        title={t`Who has paid?`}
      >{t`Read it from your bank statement, and confirm all payments in one press.`}</PageTitle>
      {entries ? (
        <StatementEntries entries={entries} onAgain={() => setEntries(null)} />
      ) : (
        <SectionCard titleId="statement-title" title={t`Your bank statement`}>
          <Text>{t`Download the statement from your bank, and choose the file here.`}</Text>
          <FileDrop
            label={t`Choose statements`}
            hint={t`Or drop them here: CAMT (052, 053 or 054), XML or ZIP. What came in is sent to the site to compare it. Only a fingerprint of what you confirm is kept.`}
            accept=".xml,.052,.053,.054,.camt,.zip"
            multiple
            onFiles={(files) => void read(files)}
          />
        </SectionCard>
      )}
    </Container>
  )
}
