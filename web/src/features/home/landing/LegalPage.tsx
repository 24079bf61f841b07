import { Anchor, Container, List, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { addressOf } from '#lib/language.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import classes from './LegalPage.module.css'

export interface LegalSection {
  title: string
  text?: string
  /** Facts, as a list. */
  items?: string[]
  /** Parts with a title of their own, each with named facts. */
  entries?: { title: string; text: string; facts: string[][] }[]
  /** The URL to which the text links, or the link after it. */
  href?: string | undefined
  link?: string
}

interface LegalPageProps {
  title: string
  summary: string
  sections: LegalSection[]
  /** Numbers the sections, so that decisions can name them. */
  numbered?: boolean
  /** Shown above the sections. */
  children?: ReactNode
}

/** A short text in sections, laid out for reading. */
export function LegalPage({ title, summary, sections, numbered = false, children }: LegalPageProps) {
  return (
    <Container size="sm" py="xl">
      <PageTitle title={title}>{summary}</PageTitle>
      {children}
      <Stack gap="lg" component="article">
        {sections.map((section, place) => (
          <section key={section.title}>
            <Title order={2} size="h3" mb={6}>
              {numbered && `${place + 1}. `}
              {section.title}
            </Title>
            {section.text && (
              <Text lh={1.65} style={{ overflowWrap: 'anywhere' }}>
                {section.href && !section.link ? (
                  <Anchor href={section.href}>{section.text}</Anchor>
                ) : (
                  section.text
                )}
              </Text>
            )}
            {section.items && (
              <List spacing={6}>
                {section.items.map((item) => (
                  <List.Item key={item} lh={1.65}>
                    {item}
                  </List.Item>
                ))}
              </List>
            )}
            {section.entries?.map((entry) => (
              <section key={entry.title} className={classes.entry}>
                <Title order={3} size="h4">
                  {entry.title}
                </Title>
                <Text lh={1.65}>{entry.text}</Text>
                <dl className={classes.facts}>
                  {entry.facts.map(([label, fact]) => (
                    <div key={label}>
                      <dt>{label}</dt>
                      <dd>{fact}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
            {section.href && section.link && (
              <Anchor href={addressOf(section.href)} display="inline-block" mih={44} pt="xs">
                {section.link}
              </Anchor>
            )}
          </section>
        ))}
      </Stack>
    </Container>
  )
}
