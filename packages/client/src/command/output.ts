export interface Output {
  /** One line for people, or one JSON object with `--json`. */
  line(text: string, data: Record<string, unknown>): void;
}

export function createOutput(isJson: boolean, write: (text: string) => void): Output {
  return {
    line: (text, data) => write(`${isJson ? JSON.stringify(data) : text}\n`),
  };
}
