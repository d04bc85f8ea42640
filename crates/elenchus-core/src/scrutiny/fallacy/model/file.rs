//! The model as bytes.

use super::{Calibration, Model, ModelError, NONE, Vocabulary};
use crate::scrutiny::fallacy::by_id;
use sha2::{Digest, Sha256};

const MAGIC: &[u8] = b"ELFM1";
const CHECK: usize = 8;
const IDF_UNIT: f32 = 4096.0;

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, n: usize) -> Result<&'b [u8], ModelError> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(ModelError::Length)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        self.take(N)?.try_into().map_err(|_| ModelError::Length)
    }

    fn float(&mut self) -> Result<f32, ModelError> {
        let value = f32::from_le_bytes(self.array()?);
        if value.is_finite() { Ok(value) } else { Err(ModelError::Range) }
    }

    fn floats(&mut self, n: usize) -> Result<Vec<f32>, ModelError> {
        (0..n).map(|_| self.float()).collect()
    }
}

impl Model {
    /// Reads a model file. Errors name what is wrong with it; classes must be those of the catalog.
    pub fn parse(bytes: &[u8]) -> Result<Self, ModelError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(ModelError::Foreign)?;
        let (content, check) =
            body.len().checked_sub(CHECK).map(|at| body.split_at(at)).ok_or(ModelError::Length)?;
        if Sha256::digest(content)[..CHECK] != *check {
            return Err(ModelError::Corrupt);
        }
        let mut bytes = Bytes(content);
        let n = usize::from(u16::from_le_bytes(bytes.array()?));
        let mut classes = Vec::new();
        for _ in 0..n {
            let [length] = bytes.array()?;
            let name = String::from_utf8_lossy(bytes.take(usize::from(length))?).into_owned();
            if name != NONE && by_id(&name).is_none() {
                return Err(ModelError::Classes(name));
            }
            classes.push(name);
        }
        if classes.len() < 2 {
            return Err(ModelError::Classes("fewer than two".to_owned()));
        }
        let [temperature, strict, sensitive, agreement] =
            [bytes.float()?, bytes.float()?, bytes.float()?, bytes.float()?];
        let [fitted] = bytes.array()?;
        if temperature <= 0.0 {
            return Err(ModelError::Range);
        }
        let rows = u32::from_le_bytes(bytes.array()?) as usize;
        // A row takes at least its name, its frequency and its weights: a wrong count cannot ask for memory.
        if rows.saturating_mul(6 + n) > bytes.0.len() {
            return Err(ModelError::Length);
        }
        let ids: Vec<u32> = bytes
            .take(rows * 4)?
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect();
        let idf: Vec<f32> = bytes
            .take(rows * 2)?
            .chunks_exact(2)
            .map(|b| f32::from(u16::from_le_bytes([b[0], b[1]])) / IDF_UNIT)
            .collect();
        let (bias, scale) = (bytes.floats(n)?, bytes.floats(n)?);
        let weights: Vec<i8> = bytes.take(rows * n)?.iter().map(|b| b.cast_signed()).collect();
        if !bytes.0.is_empty() {
            return Err(ModelError::Length);
        }
        if ids.windows(2).any(|two| two[0] >= two[1]) {
            return Err(ModelError::Range);
        }
        let calibration =
            Calibration { temperature, strict, sensitive, agreement, fitted: fitted != 0 };
        Ok(Self { classes, vocabulary: Vocabulary { ids, idf }, calibration, bias, scale, weights })
    }

    /// The model as the bytes that [`Model::parse`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = Vec::new();
        content.extend((self.classes.len() as u16).to_le_bytes());
        for class in &self.classes {
            content.push(class.len() as u8);
            content.extend(class.as_bytes());
        }
        let c = &self.calibration;
        for value in [c.temperature, c.strict, c.sensitive, c.agreement] {
            content.extend(value.to_le_bytes());
        }
        content.push(u8::from(c.fitted));
        content.extend((self.vocabulary.ids.len() as u32).to_le_bytes());
        content.extend(self.vocabulary.ids.iter().flat_map(|id| id.to_le_bytes()));
        let idf =
            |v: &f32| ((v * IDF_UNIT).round().clamp(0.0, f32::from(u16::MAX)) as u16).to_le_bytes();
        content.extend(self.vocabulary.idf.iter().flat_map(idf));
        for value in self.bias.iter().chain(&self.scale) {
            content.extend(value.to_le_bytes());
        }
        content.extend(self.weights.iter().map(|w| w.cast_unsigned()));
        let check = Sha256::digest(&content);
        [MAGIC, &content, &check[..CHECK]].concat()
    }
}
