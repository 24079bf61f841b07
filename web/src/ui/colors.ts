import type { MantineColorsTuple } from '@mantine/core'

// Shade 7 is the brand's light token and shade 4 its dark one; the other shades are derived from them.
export const clay: MantineColorsTuple = [
  '#FCF1EB',
  '#F9E0D4',
  '#F2C0AB',
  '#EA9C7C',
  '#E07A52',
  '#D46537',
  '#C45428',
  '#B4451F',
  '#963817',
  '#742A10',
]
export const herb: MantineColorsTuple = [
  '#ECF7F1',
  '#D5EDE0',
  '#ABDBC3',
  '#80C8A7',
  '#57B58C',
  '#429D75',
  '#358763',
  '#2B7355',
  '#215C43',
  '#174331',
]
export const honey: MantineColorsTuple = [
  '#FEF7E6',
  '#FCECC5',
  '#F8DB97',
  '#F4CB76',
  '#F0BE5A',
  '#EBB44A',
  '#E7AB3D',
  '#E3A32B',
  '#A96F0B',
  '#704805',
]
export const beet: MantineColorsTuple = [
  '#FCEEF1',
  '#F9DADF',
  '#F1B3BF',
  '#EA8B9D',
  '#E2637A',
  '#D24661',
  '#BC344F',
  '#A62640',
  '#881C32',
  '#681324',
]
/** Warm neutrals in place of Mantine's cool greys. */
export const stone: MantineColorsTuple = [
  '#FBF6EE',
  '#F5EEE3',
  '#EBE1D3',
  '#DDD0BF',
  '#CBBBA8',
  '#A99988',
  '#85776A',
  '#6A5F55',
  '#4A4038',
  '#2A1F18',
]
export const night: MantineColorsTuple = [
  '#F3EAE0',
  '#D6CCC1',
  '#B1AAA2',
  '#8F867D',
  '#4A4038',
  '#352C25',
  '#211B17',
  '#171310',
  '#110E0B',
  '#0B0907',
]

export const ink = '#2A1F18'
export const paper = '#FFFBF4'
